import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Standin } from "../../../src/index.ts";
import { CALLBACK, openShop } from "./shop.ts";

let api: Standin;
let issuer: URL;

beforeAll(async () => {
  api = await openShop({ algorithm: "RS256" });
  issuer = new URL(`${api.url}/__oidc`);
});
afterAll(() => api.close());

const insecure = { execute: [client.allowInsecureRequests] };
const scope = "openid offline_access";

/** Follows the redirect that a browser would, by hand. */
async function visit(url: URL): Promise<URL> {
  const response = await fetch(url, { redirect: "manual" });
  expect(response.status).toBe(303);
  return new URL(response.headers.get("location") ?? "");
}

async function discover(id: string, secret?: string): Promise<client.Configuration> {
  return client.discovery(issuer, id, secret, secret === undefined ? client.None() : undefined, insecure);
}

async function signIn(config: client.Configuration, hint: string, more: Record<string, string> = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
    login_hint: hint,
    ...more,
  });
  const back = await visit(url);
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, maxAge: 60 };
  return { back, tokens: await client.authorizationCodeGrant(config, back, checks), checks };
}

describe("openid-client", () => {
  test("signs in by code and PKCE, reads the user, and uses the API", async () => {
    const config = await discover("shop-web");
    const { tokens } = await signIn(config, "ann@shop.test");
    expect(tokens.claims()).toMatchObject({
      sub: "1",
      aud: "shop-web",
      email: "ann@shop.test",
      roles: ["admin"],
      city: "Rome",
    });
    expect(await client.fetchUserInfo(config, tokens.access_token, "1")).toMatchObject({ email: "ann@shop.test" });
    const orders = await client.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL(`${api.url}/orders`),
      "GET",
    );
    expect(await orders.json()).toEqual([{ id: 1, user_id: 1 }]);
  });

  test("a confidential client signs in by Basic and by post, and introspects", async () => {
    for (const way of [client.ClientSecretBasic, client.ClientSecretPost]) {
      const config = await client.discovery(issuer, "worker", undefined, way("a secret of the worker"), insecure);
      const { tokens } = await signIn(config, "bob@shop.test");
      expect(tokens.claims()).toMatchObject({ sub: "2", roles: "editor" });
      expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({
        active: true,
        sub: "2",
        aud: "shop-api",
      });
      await client.tokenRevocation(config, tokens.access_token);
      expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
    }
  });

  test("refreshes with a new token each time; the second use of one ends the sign-in", async () => {
    const config = await discover("shop-web");
    const { tokens } = await signIn(config, "ann@shop.test");
    const first = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    const second = await client.refreshTokenGrant(config, first.refresh_token ?? "");
    expect(new Set([tokens, first, second].map((one) => one.refresh_token)).size).toBe(3);
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
    await expect(client.refreshTokenGrant(config, second.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
    const orders = await fetch(`${api.url}/orders`, { headers: { Authorization: `Bearer ${second.access_token}` } });
    expect(await orders.json()).toMatchObject({ code: "TOKEN_INVALID" });
  });

  test("a code that is used twice ends what it led to", async () => {
    const config = await discover("shop-web");
    const { back, tokens, checks } = await signIn(config, "ann@shop.test");
    await expect(client.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({ error: "invalid_grant" });
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });

  test("client credentials give a token with the client's roles", async () => {
    const config = await discover("worker", "a secret of the worker");
    const { access_token } = await client.clientCredentialsGrant(config);
    const orders = await fetch(`${api.url}/orders`, { headers: { Authorization: `Bearer ${access_token}` } });
    expect(orders.status).toBe(200);
    await expect(client.clientCredentialsGrant(await discover("worker", "wrong"))).rejects.toMatchObject({
      error: "invalid_client",
    });
  });

  test("logs out, back to the client", async () => {
    const config = await discover("shop-web");
    const { tokens } = await signIn(config, "ann@shop.test");
    const url = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? "",
      post_logout_redirect_uri: CALLBACK,
      state: "bye",
    });
    expect((await visit(url)).href).toBe(`${CALLBACK}?state=bye`);
  });

  test("64 refreshes at a time: one wins", async () => {
    const config = await discover("shop-web");
    const { tokens } = await signIn(config, "ann@shop.test");
    const tries = Array.from({ length: 64 }, () => client.refreshTokenGrant(config, tokens.refresh_token ?? ""));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("oauth4webapi", () => {
  const options = { [oauth.allowInsecureRequests]: true };

  test("finds the issuer by both forms of discovery", async () => {
    for (const algorithm of ["oidc", "oauth2"] as const) {
      const response = await oauth.discoveryRequest(issuer, { ...options, algorithm });
      expect((await oauth.processDiscoveryResponse(issuer, response)).token_endpoint).toBe(`${issuer.href}/token`);
    }
  });

  test("signs in, refreshes, and validates the access token as a resource server (RFC 9068)", async () => {
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
    const web: oauth.Client = { client_id: "shop-web" };
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(as.authorization_endpoint ?? "");
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    for (const [name, value] of Object.entries({
      client_id: "shop-web",
      redirect_uri: CALLBACK,
      response_type: "code",
      scope,
      state: "s",
      nonce: "n",
      code_challenge: challenge,
      code_challenge_method: "S256",
      login_hint: "bob@shop.test",
    }))
      url.searchParams.set(name, value);
    const parameters = oauth.validateAuthResponse(as, web, await visit(url), "s");
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      web,
      oauth.None(),
      parameters,
      CALLBACK,
      verifier,
      options,
    );
    const result = await oauth.processAuthorizationCodeResponse(as, web, response, {
      expectedNonce: "n",
      requireIdToken: true,
    });
    const refreshed = await oauth.refreshTokenGrantRequest(as, web, oauth.None(), result.refresh_token ?? "", options);
    const { access_token } = await oauth.processRefreshTokenResponse(as, web, refreshed);
    const request = new Request(`${api.url}/orders`, { headers: { Authorization: `Bearer ${access_token}` } });
    expect(await oauth.validateJwtAccessToken(as, request, "shop-api", options)).toMatchObject({
      sub: "2",
      client_id: "shop-web",
    });
  });
});

import { createHash } from "../../base/platform/crypto.ts";
import type { Call } from "../../http/call.ts";
import type { Reply } from "../../http/response/reply.ts";
import type { Grant, SignInClient } from "../../layers/sign-in-options.ts";
import { authenticateClient } from "./authenticate-client.ts";
import { accessClaims, issueTokens, type TokenResponse } from "./issue-tokens.ts";
import type { IssuerView } from "./issuer.ts";
import type { LoginCheck } from "./login-check.ts";
import { OAuthError, privateReply } from "./oauth-error.ts";
import { type Permit, randomName } from "./realm.ts";

/** A request to the token endpoint, of a client that has proved who it is. */
interface TokenRequest {
  readonly call: Call;
  readonly view: IssuerView;
  readonly client: SignInClient;
  readonly form: URLSearchParams;
  readonly checkLogin: LoginCheck;
}

type Exchange = (request: TokenRequest) => Promise<TokenResponse>;

/** `POST /__oidc/token` (RFC 6749, 3.2). */
export async function respondWithTokens(call: Call, view: IssuerView, checkLogin: LoginCheck): Promise<Reply> {
  const form = new URLSearchParams(await call.bodyText());
  const client = authenticateClient(call, form, view.options.clients);
  const grant = view.options.grants.find((one) => one === form.get("grant_type"));
  if (grant === undefined) {
    throw new OAuthError(
      "unsupported_grant_type",
      `grant_type ${JSON.stringify(form.get("grant_type"))} is not offered; "grants" lists ${view.options.grants.join(", ")}.`,
    );
  }
  return privateReply(await EXCHANGES[grant]({ call, view, client, form, checkLogin }));
}

const EXCHANGES: Record<Grant, Exchange> = {
  authorization_code: exchangeCode,
  refresh_token: refresh,
  client_credentials: signInClient,
  password: signInByPassword,
};

/** A code that comes a second time was stolen, or its thief came first: all that it led to ends (RFC 6749, 4.1.2). */
function exchangeCode({ view, client, form }: TokenRequest): Promise<TokenResponse> {
  const { realm, now } = view;
  const permit = realm.codes.get(form.get("code") ?? "");
  if (!permit || permit.clientId !== client.id) throw invalidGrant("The code is unknown. Start again at authorize.");
  if (permit.isUsed)
    return endFamily(view, permit, "The code was used before, so everything that it led to is revoked.");
  if (permit.endsAt <= now) throw invalidGrant("The code has expired.");
  if (form.get("redirect_uri") !== permit.redirectUri) {
    throw invalidGrant(`redirect_uri is not the one of the request for the code, ${permit.redirectUri}.`);
  }
  const verifier = form.get("code_verifier");
  if (permit.challenge === undefined ? verifier !== null : challengeOf(verifier ?? "") !== permit.challenge) {
    throw invalidGrant("code_verifier does not fit the code_challenge of the request for the code (S256).");
  }
  permit.isUsed = true;
  return issueTo(view, permit);
}

/** Revokes everything that a sign-in led to, and says why. */
async function endFamily({ realm }: IssuerView, { family }: Permit, why: string): Promise<never> {
  await realm.revoked.add([family]);
  throw invalidGrant(why);
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** Of any number of refreshes with one token, the first wins, and the second ends the family. Nothing is awaited before. */
function refresh({ view, client, form }: TokenRequest): Promise<TokenResponse> {
  const { realm, now } = view;
  const permit = realm.refreshTokens.get(form.get("refresh_token") ?? "");
  if (!permit || permit.clientId !== client.id) throw invalidGrant("The refresh token is unknown. Sign in again.");
  if (permit.isUsed || realm.revoked.has(permit.family)) {
    return endFamily(view, permit, "The refresh token was used before or revoked, so the whole sign-in has ended.");
  }
  if (permit.endsAt <= now) throw invalidGrant("The refresh token has expired. Sign in again.");
  const scope = form.get("scope") ?? permit.scope;
  const granted = permit.scope.split(" ");
  const excess = scope.split(" ").find((one) => !granted.includes(one));
  if (excess !== undefined) throw new OAuthError("invalid_scope", `The scope ${excess} was not granted before.`);
  permit.isUsed = true;
  return issueTo(view, { ...permit, nonce: undefined }, scope);
}

async function issueTo(view: IssuerView, permit: Permit, scope = permit.scope): Promise<TokenResponse> {
  const user = await view.realm.find(permit.subject);
  if (!user) throw invalidGrant("The user was deleted, or all data was replaced since. Sign in again.");
  return issueTokens(view, user, { ...permit, scope });
}

async function signInClient({ view, client, form }: TokenRequest): Promise<TokenResponse> {
  if (client.secret === undefined) {
    throw new OAuthError(
      "unauthorized_client",
      `The client ${client.id} has no secret, so it cannot sign in as itself.`,
    );
  }
  const { id, roles } = client;
  const scope = form.get("scope") ?? "";
  const claims = roles.length > 0 ? { roles: [...roles] } : {};
  const payload = accessClaims(view, { sub: id, clientId: id, scope, claims, own: { client: true } });
  return {
    access_token: await view.keys.sign(payload, "at+jwt"),
    token_type: "Bearer",
    expires_in: view.options.accessSeconds,
    scope,
  };
}

async function signInByPassword({ call, view, client, form, checkLogin }: TokenRequest): Promise<TokenResponse> {
  const { realm, now } = view;
  const user = await realm.users.byName(form.get("username") ?? "");
  if (!(await checkLogin(call, user, form.get("password") ?? ""))) throw invalidGrant("Name or password is wrong.");
  if (!user) throw invalidGrant("Name or password is wrong.");
  return issueTokens(view, user, {
    clientId: client.id,
    subject: realm.subjectOf(user),
    scope: form.get("scope") ?? "openid",
    authTime: now,
    nonce: undefined,
    session: undefined,
    family: randomName(),
    endsAt: now,
    isUsed: false,
  });
}

function invalidGrant(description: string): OAuthError {
  return new OAuthError("invalid_grant", description);
}

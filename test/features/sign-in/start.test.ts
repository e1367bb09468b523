import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { startApi } from "../../support/api.ts";
import { openServiceOver } from "../../support/serve-store.ts";
import { storeOf } from "../access/guarded-server.ts";
import { openShop, SIGN_IN, shopUsers } from "./shop.ts";

const LAYER = JSON.parse(JSON.stringify({ ...SIGN_IN, algorithm: "ES256" }));

test("the start says that this is not for production, whose time counts, and which fields rules trust", async () => {
  const notes: string[] = [];
  const layers = { "sign-in": { ...LAYER, claims: { ...LAYER.claims, team: "team" } } };
  const access = { orders: { read: "team={{user.team}}" }, products: { read: "anyone" } };
  const options = { middlewares: ["sign-in"], layers, access, memory: true };
  const start = { clock: () => Date.parse("2030-01-01"), note: (text: string) => void notes.push(text) };
  await openServiceOver(storeOf(shopUsers()), options, start);
  expect(notes.filter((text) => text.includes("not safe for production"))).toHaveLength(1);
  expect(notes).toContain("the clock is not the real one: clients judge tokens by their own time");
  expect(notes).toContain("access: rules trust team of users, which users may change; list users to forbid it.");
});

test("without the layer there is no issuer", async () => {
  const { ask } = await startApi({ data: shopUsers() });
  for (const path of ["/__oidc/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/__oidc"]) {
    expect([path, (await ask(`GET ${path}`)).status]).toEqual([path, 404]);
  }
  expect((await ask("POST /__oidc/tokens", { body: { user: "ann@shop.test" } })).status).toBe(404);
});

test("a configured issuer is the text of all tokens, whatever the address", async () => {
  const issuer = "http://shop.test:8080/__oidc";
  await using api = await openShop({ issuer });
  const token = await api.tokenFor("ann@shop.test");
  expect(decodeJwt(token).iss).toBe(issuer);
  expect((await fetch(`${api.url}/orders`, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
  const found = await (await fetch(`${api.url}/__oidc/.well-known/openid-configuration`)).json();
  expect(found).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${api.url}/__oidc/token`,
  });
});

for (const path of ["password", "password.hash", "[password]", '["password"].hash', "["]) {
  test(`a claim at ${path} stops the start, because it would show the password`, async () => {
    await expect(openShop({ claims: { note: path } })).rejects.toThrow('claims.note" would show the password');
  });
}

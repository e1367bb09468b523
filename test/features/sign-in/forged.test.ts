import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, type JWTHeaderParameters, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { StandinError } from "../../../src/base/errors.ts";
import type { IssuerView } from "../../../src/features/sign-in/issuer.ts";
import { SigningKeys } from "../../../src/features/sign-in/signing-keys.ts";
import { AccessTokens } from "../../../src/features/sign-in/verify-access-token.ts";
import { createStandin, type Standin } from "../../../src/index.ts";
import { SIGN_IN, shopUsers } from "./shop.ts";

const folder = mkdtempSync(join(tmpdir(), "forged-"));
let api: Standin;
let key: JWK;

beforeAll(async () => {
  const source = join(folder, "db.json");
  writeFileSync(source, JSON.stringify(shopUsers()));
  const layers = { "sign-in": JSON.parse(JSON.stringify({ ...SIGN_IN, algorithm: "ES256" })) };
  api = await createStandin({ source, persist: true, middlewares: ["sign-in"], layers });
  [key] = JSON.parse(readFileSync(join(folder, ".standin", "db.json.sign-in-keys"), "utf8"));
});
afterAll(() => api.close());

async function statusOf(header: object, signedWith: JWK = key): Promise<number> {
  const claims = decodeJwt(await api.tokenFor("ann@shop.test"));
  const given = { alg: "ES256", kid: key.kid, ...header } as JWTHeaderParameters;
  const token = await new SignJWT(claims).setProtectedHeader(given).sign(await importJWK(signedWith, "ES256"));
  return (await fetch(`${api.url}/orders`, { headers: { Authorization: `Bearer ${token}` } })).status;
}

test("an access token says so in its header: one of another type is refused, even with the right signature", async () => {
  expect(await statusOf({ typ: "at+jwt" })).toBe(200);
  for (const typ of ["JWT", "logout+jwt", "at", "", undefined]) {
    expect([typ, await statusOf({ typ })]).toEqual([typ, 401]);
  }
});

test("the private key is in its file alone: not in the data, a snapshot or any other file", async () => {
  await api.snapshot("kept");
  const token = await api.tokenFor("ann@shop.test");
  await fetch(`${api.url}/orders`, { method: "POST", headers: { Authorization: `Bearer ${token}` } });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const holding = files.filter(({ parentPath, name }) =>
    readFileSync(join(parentPath, name), "utf8").includes(String(key.d)),
  );
  expect(holding.map(({ name }) => name)).toEqual(["db.json.sign-in-keys"]);
  for (const path of ["/db", "/__snapshots__/kept", "/__overview", "/__oidc/jwks"]) {
    const shown = await fetch(api.url + path, { headers: { Authorization: `Bearer ${token}` } });
    expect([path, (await shown.text()).includes(String(key.d))]).toEqual([path, false]);
  }
});

test("no header brings a key of its own", async () => {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const [own, jwk] = [await exportJWK(privateKey), await exportJWK(publicKey)];
  const jku = "http://127.0.0.1:1/keys";
  for (const more of [{}, { jwk }, { jku }, { kid: undefined, jwk }, { kid: "../../keys", jwk }, { x5u: jku }]) {
    expect([more, await statusOf({ typ: "at+jwt", ...more }, own)]).toEqual([more, 401]);
  }
});

test("a database that cannot be reached is no fault of the token", async () => {
  const unreachable = new StandinError("STORE_UNAVAILABLE", "The database cannot be reached.");
  let isReachable = true;
  const read = async (): Promise<JWK[]> => {
    if (isReachable) return [key];
    throw unreachable;
  };
  const keys = await SigningKeys.open("ES256", { isShared: true, read, change: read });
  isReachable = false;
  const view = { keys, issuer: `${api.url}/__oidc` } as IssuerView;
  const token = await api.tokenFor("ann@shop.test");
  await expect(new AccessTokens().verify(token, view)).rejects.toBe(unreachable);
});

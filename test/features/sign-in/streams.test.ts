import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Standin } from "../../../src/index.ts";
import { readEvents } from "../../support/event-reader.ts";
import { IS_SOAK } from "../../support/soak.ts";
import { CALLBACK, openShop } from "./shop.ts";

let api: Standin;
beforeAll(async () => {
  api = await openShop();
});
afterAll(() => api.close());

const NEW = { id: 20, email: "new@shop.test", roles: ["admin"] };
const VERIFIER = "v".repeat(43);
const PKCE = {
  code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  code_challenge_method: "S256",
};

interface SignedIn {
  readonly token: string;
  readonly refresh: string;
  readonly cookie: string;
}

/** Signs the new user in as a page would. */
async function signIn(): Promise<SignedIn> {
  if (!(await api.db.users?.get(NEW.id))) await api.db.users?.create(NEW);
  const client = { client_id: "shop-web", redirect_uri: CALLBACK };
  const asked = { ...client, ...PKCE, response_type: "code", scope: "openid offline_access", login_hint: NEW.email };
  const page = await fetch(`${api.url}/__oidc/authorize?${new URLSearchParams(asked)}`, { redirect: "manual" });
  const code = new URL(page.headers.get("location") ?? "").searchParams.get("code") ?? "";
  const [cookie = ""] = (page.headers.get("set-cookie") ?? "").split(";");
  const form = { ...client, grant_type: "authorization_code", code, code_verifier: VERIFIER };
  const { access_token: token = "", refresh_token: refresh = "" } = await send("token", form);
  return { token, refresh, cookie };
}

async function send(route: string, form: Record<string, string>): Promise<Record<string, string>> {
  const response = await fetch(`${api.url}/__oidc/${route}`, { method: "POST", body: new URLSearchParams(form) });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, string>;
}

const revoke = (token: string) => send("revoke", { client_id: "shop-web", token });

type End = readonly [string, (given: SignedIn) => Promise<unknown>];

const ends: readonly End[] = [
  ["its token has expired", () => api.clock.advance("1h")],
  ["the refresh token beside it is revoked", ({ refresh }) => revoke(refresh)],
  ["the user is deleted", async () => api.db.users?.remove(NEW.id)],
  ["all data is reset", () => api.reset()],
];
const furtherEnds: readonly End[] = [
  ["its token is revoked", ({ token }) => revoke(token)],
  ["the user has signed out", ({ cookie }) => fetch(`${api.url}/__oidc/logout`, { headers: { Cookie: cookie } })],
  [
    "the user is deleted and made again",
    async () => {
      await api.db.users?.remove(NEW.id);
      await api.db.users?.create(NEW);
    },
  ],
  ["a snapshot is restored", () => api.restore("with-new")],
];

for (const [what, end] of IS_SOAK ? [...ends, ...furtherEnds] : ends) {
  test(`streams tell nothing more, and end, when ${what}`, async () => {
    const given = await signIn();
    await api.snapshot("with-new");
    const headers = { Authorization: `Bearer ${given.token}` };
    const changes = await readEvents(`${api.url}/__events?collection=products`, headers);
    const requests = await readEvents(`${api.url}/__requests?path=/products`, headers);
    const other = await readEvents(`${api.url}/__events?collection=products`, {
      Authorization: `Bearer ${await api.tokenFor("ann@shop.test", { expiresIn: 86_400 })}`,
    });
    await api.db.products?.create({ name: "before" });
    await fetch(`${api.url}/products`);
    await Promise.all([changes.atLeast(1), requests.atLeast(1), other.atLeast(1)]);
    await end(given);
    await api.db.products?.create({ name: `after ${what}` });
    await fetch(`${api.url}/products`);
    await Promise.all([changes.ended, requests.ended]);
    expect(requests.events).toHaveLength(1);
    expect(JSON.stringify(changes.events)).not.toContain(`after ${what}`);
    // Of all users, where the data is another.
    if (/data|snapshot/.test(what)) return other.ended;
    await other.atLeast(2);
    other.close();
  });
}

const lists = ["/__changes?collection=products", "/__requests?path=/products"];

for (const path of lists) {
  test(`${path} is refused when its token has ended while it was waited for`, async () => {
    const { token } = await signIn();
    const headers = { Authorization: `Bearer ${token}` };
    const ask = (more: string) => fetch(`${api.url}${path}${more}`, { headers });
    const { changes, requests } = (await (await ask("")).json()) as Record<string, { version: number; id: number }[]>;
    const after = changes?.at(-1)?.version ?? requests?.at(-1)?.id ?? 0;
    const waiting = ask(`&after=${after}&wait=60000`);
    // Admitted after the one that waits.
    expect((await ask("")).status).toBe(200);
    await revoke(token);
    await api.db.products?.create({ name: "later" });
    await fetch(`${api.url}/products`);
    const response = await waiting;
    expect([response.status, await response.json()]).toMatchObject([401, { code: "TOKEN_INVALID" }]);
  });
}

test("a stream without news ends with its next sign of life", async () => {
  const quiet = await openShop({}, { heartbeatMs: 20 });
  const token = await quiet.tokenFor("ann@shop.test");
  const stream = await readEvents(`${quiet.url}/__events`, { Authorization: `Bearer ${token}` });
  await stream.commented(3);
  await quiet.clock.advance("1h");
  await stream.ended;
  await quiet.close();
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createFolder } from "../../support/cli.ts";
import { serveKept } from "../../support/kept-process.ts";
import { limit } from "../../support/limits.ts";
import { SIGN_IN, shopUsers } from "./shop.ts";

test("an edit of the data file from outside ends all tokens, but leaves the keys", {
  timeout: limit(60_000),
}, async () => {
  const clients = [...SIGN_IN.clients, { id: "job", secret: { env: "JOB_SECRET" } }];
  const config = {
    source: "db.json",
    middlewares: ["sign-in"],
    layers: { "sign-in": { ...SIGN_IN, algorithm: "ES256", clients } },
  };
  const folder = createFolder({ "db.json": shopUsers(), "standin.json": config });
  const { url, stop, output } = await serveKept(["--watch"], folder, { JOB_SECRET: "of the environment" });
  expect(output.stdout.match(/not safe for production/g)).toHaveLength(1);
  const job = { grant_type: "client_credentials", client_id: "job", client_secret: "of the environment" };
  expect((await fetch(`${url}/__oidc/token`, { method: "POST", body: new URLSearchParams(job) })).status).toBe(200);
  const tokenOf = async (user: string): Promise<string> => {
    const headers = { "Content-Type": "application/json" };
    const made = await fetch(`${url}/__oidc/tokens`, { method: "POST", headers, body: JSON.stringify({ user }) });
    return ((await made.json()) as { access_token: string }).access_token;
  };
  const statusOf = async (token: string): Promise<number> =>
    (await fetch(`${url}/orders`, { headers: { Authorization: `Bearer ${token}` } })).status;
  const keys = await (await fetch(`${url}/__oidc/jwks`)).text();
  const token = await tokenOf("ann@shop.test");
  expect(await statusOf(token)).toBe(200);
  const file = join(folder, "db.json");
  writeFileSync(file, readFileSync(file, "utf8").replace("Hat", "Cap"));
  await vi.waitFor(async () => expect(await statusOf(token)).toBe(401), { timeout: limit(30_000), interval: 50 });
  expect(await statusOf(await tokenOf("ann@shop.test"))).toBe(200);
  expect(await (await fetch(`${url}/__oidc/jwks`)).text()).toBe(keys);
  await stop();
});

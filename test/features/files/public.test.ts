import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { type Answer, askAt, startApi } from "../../support/api.ts";

const CONTENT = "not for everybody";
const SHA256 = createHash("sha256").update(CONTENT).digest("hex");
const NONE = createHash("sha256").update("never uploaded").digest("hex");
const TEXT = { "Content-Type": "text/plain" };
const TOKEN = { authorization: "Bearer token-of-the-shop" };
const DATA = () => ({ secrets: [{ id: 1 }], comments: [{ id: 1 }] });
const GUARD = {
  middlewares: ["bearer"],
  layers: { bearer: { token: "token-of-the-shop", publicRoutes: ["/comments"] } },
};

const object = (sha256: string) => ({ name: "a", type: "text/plain", size: 1, sha256, url: `/__files/${sha256}/a` });
const urlIn = ({ text }: Answer): string => /"url":"([^"]*)"/.exec(text)?.[1] ?? "";
const withoutHash = ({ status, text }: Answer, sha256: string) => [status, text.replaceAll(sha256, "")];

test("a guard is enough to hide files, and its records have signed addresses", async () => {
  const { ask } = await startApi({ data: DATA(), ...GUARD });
  const set = await ask("PUT /secrets/1/note?name=a", { body: CONTENT, headers: { ...TEXT, ...TOKEN } });
  expect((await ask(`GET /__files/${SHA256}/a`)).status).toBe(401);
  expect((await ask(`GET /__files/${NONE}/a`)).status).toBe(401);
  const sent = await ask(`GET ${urlIn(set)}`);
  expect([sent.text, sent.headers.get("cache-control")]).toEqual([CONTENT, "private, no-cache, no-transform"]);
  await ask("DELETE /secrets/1/note", { headers: TOKEN });
  expect((await ask(`GET ${urlIn(set)}`)).status).toBe(404);
});

test("a public route opens no file of another collection", async () => {
  const { ask } = await startApi({ data: DATA(), ...GUARD });
  await ask("PUT /secrets/1/note?name=a", { body: CONTENT, headers: { ...TEXT, ...TOKEN } });
  const named = await ask("POST /comments", { body: { note: object(SHA256) } });
  const unknown = await ask("POST /comments", { body: { note: object(NONE) } });
  expect(named.body).toMatchObject({ code: "FILE_UNKNOWN" });
  expect(withoutHash(named, SHA256)).toEqual(withoutHash(unknown, NONE));
  // Not a file, but it looks like the address of one.
  const looking = await ask("POST /comments", { body: { url: `/__files/${SHA256}/a` } });
  expect([looking.status, urlIn(looking)]).toEqual([201, `/__files/${SHA256}/a`]);
  expect((await ask(`GET ${urlIn(looking)}`)).status).toBe(401);
});

test("a public route takes files, shows them, and may name them again", async () => {
  const { url, ask } = await startApi({ data: DATA(), ...GUARD });
  const body = new FormData();
  body.append("note", new File(["for everybody"], "a.txt"));
  const made = await fetch(`${url}/comments`, { method: "POST", body });
  const { note } = (await made.json()) as { note: { url: string } };
  expect((await ask(`GET ${note.url}`)).text).toBe("for everybody");
  expect((await ask("POST /comments", { body: { note } })).status).toBe(201);
});

test("a key that may not read learns of no file", async () => {
  const reader = { "x-api-key": `test-${"a".repeat(32)}` };
  const writer = { "x-api-key": `test-${"b".repeat(32)}` };
  const keys = [
    { key: reader["x-api-key"], permissions: ["read", "write"] },
    { key: writer["x-api-key"], permissions: ["write"] },
  ];
  const { ask } = await startApi({ data: DATA(), middlewares: ["api-key"], layers: { "api-key": { keys } } });
  await ask("PUT /secrets/1/note", { body: CONTENT, headers: { ...TEXT, ...reader } });
  const named = await ask("POST /comments", { body: { note: object(SHA256) }, headers: writer });
  const unknown = await ask("POST /comments", { body: { note: object(NONE) }, headers: writer });
  expect(named.body).toMatchObject({ code: "FILE_UNKNOWN" });
  expect(withoutHash(named, SHA256)).toEqual(withoutHash(unknown, NONE));
});

test("an address that a sandbox gave out leads to the sandbox, and to no other data", async () => {
  const api = await createStandin({ data: DATA(), ...GUARD });
  onTestFinished(() => api.close());
  const ask = (line: string, headers: Record<string, string>, body?: string) =>
    askAt(api.url, line, { headers, ...(body !== undefined && { body }) });
  const set = await ask("PUT /__sandbox/one/secrets/1/note?name=a", { ...TEXT, ...TOKEN }, CONTENT);
  const url = urlIn(set);
  expect((await ask(`GET ${url}`, {})).text).toBe(CONTENT);
  expect((await ask(`GET ${url}`, { "X-Standin-Sandbox": "other" })).text).toBe(CONTENT);
  expect((await ask(`GET /__files/${SHA256}/a`, TOKEN)).status).toBe(404);
  expect((await ask(`GET /__sandbox/one/__files/${SHA256}/a`, TOKEN)).text).toBe(CONTENT);
  await ask("DELETE /__sandbox/one/secrets/1/note", TOKEN);
  expect((await ask(`GET ${url}`, {})).status).toBe(404);
});

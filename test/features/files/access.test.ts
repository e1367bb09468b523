import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStandin, type Standin } from "../../../src/index.ts";
import { askAt, startApi } from "../../support/api.ts";

const CONTENT = "a secret of Ann";
const SHA256 = createHash("sha256").update(CONTENT).digest("hex");
const FILE = {
  name: "note.txt",
  type: "text/plain",
  size: CONTENT.length,
  sha256: SHA256,
  url: `/__files/${SHA256}/note.txt`,
};
const DATA = {
  users: [
    { id: 1, email: "ann@shop.test", roles: [] },
    { id: 2, email: "bob@shop.test", roles: [] },
  ],
  orders: [{ id: 1, user_id: 1 }],
};

let api: Standin<typeof DATA>;
beforeAll(async () => {
  api = await createStandin({
    data: structuredClone(DATA),
    middlewares: ["sign-in"],
    layers: {
      "sign-in": {
        users: "users",
        name: "email",
        claims: { email: "email", roles: "roles" },
        audience: "shop",
        clients: [{ id: "web", redirectUris: ["http://localhost:5173/"] }],
      },
    },
    access: { orders: { owner: "user_id", read: "owner", write: "owner" } },
  });
  const form = new FormData();
  form.append("note", new File([CONTENT], "note.txt", { type: "text/plain" }));
  expect((await as("ann", "POST", "/orders", form)).status).toBe(201);
});
afterAll(() => api.close());

async function as(name: string | undefined, method: string, path: string, body?: FormData | object, headers = {}) {
  const credentials = name === undefined ? {} : { authorization: `Bearer ${await api.tokenFor(`${name}@shop.test`)}` };
  const isForm = body instanceof FormData;
  const type = body === undefined || isForm ? {} : { "content-type": "application/json" };
  const response = await fetch(api.url + path, {
    method,
    headers: { ...credentials, ...type, ...headers },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

const urlOf = async (): Promise<string> => {
  const { text } = await as("ann", "GET", "/orders/2");
  return (JSON.parse(text) as { note: { url: string } }).note.url;
};

test("a file is only for users who may read a record with it", async () => {
  expect((await as("ann", "GET", FILE.url)).text).toBe(CONTENT);
  expect((await as("bob", "GET", FILE.url)).status).toBe(404);
  expect((await as(undefined, "GET", FILE.url)).status).toBe(401);
  expect((await as("bob", "GET", "/orders/2/note")).status).toBe(404);
  expect((await as("ann", "GET", FILE.url)).headers.get("cache-control")).toBe("private, no-cache, no-transform");
});

test("records give signed addresses, which need no credentials", async () => {
  const url = await urlOf();
  expect(url).toMatch(new RegExp(`^${FILE.url}\\?s=[\\w.-]+$`));
  expect((await as(undefined, "GET", url)).text).toBe(CONTENT);
  const other = createHash("sha256").update("other").digest("hex");
  expect((await as(undefined, "GET", url.replace(SHA256, other))).status).toBe(401);
  expect((await as(undefined, "GET", `${url.slice(0, -1)}${url.endsWith("A") ? "B" : "A"}`)).status).toBe(401);
  expect((await as(undefined, "POST", url)).status).toBe(401);
  expect((await as(undefined, "GET", url.replace(FILE.url, "/orders/2"))).status).toBe(401);
});

test("a list, and a record that the client has already, have fresh addresses", async () => {
  expect((await as("ann", "GET", "/orders")).text).toContain("note.txt?s=");
  const authorization = `Bearer ${await api.tokenFor("ann@shop.test")}`;
  // Not by fetch, which asks caches to look again.
  const again = async (line: string) => {
    const first = await askAt(api.url, line, { headers: { authorization } });
    const headers = { authorization, "If-None-Match": first.headers.get("etag") ?? "" };
    return askAt(api.url, line, { headers });
  };
  const record = await again("GET /orders/2");
  expect([record.status, record.text.includes("?s=")]).toEqual([200, true]);
  expect((await again("GET /orders/1")).status).toBe(304);
  expect((await again(`GET ${FILE.url}`)).status).toBe(304);
});

test("the signature is taken off when the object is sent back, and a removed record ends it", async () => {
  const signed = { ...FILE, url: await urlOf(), size: 7 };
  expect((await as("ann", "POST", "/orders", { note: signed })).status).toBe(201);
  expect(await api.db.orders.get(3)).toMatchObject({ note: FILE });
  await as("ann", "DELETE", "/orders/3");
  const form = new FormData();
  form.append("draft", new File(["gone soon"], "draft.txt", { type: "text/plain" }));
  const made = JSON.parse((await as("ann", "POST", "/orders", form)).text) as { id: number; draft: { url: string } };
  expect((await as(undefined, "GET", made.draft.url)).status).toBe(200);
  await as("ann", "DELETE", `/orders/${made.id}`);
  expect((await as(undefined, "GET", made.draft.url)).status).toBe(404);
});

const NONE = createHash("sha256").update("never uploaded").digest("hex");
const PATCH = { "content-type": "application/json-patch+json" };
const MERGE = { "content-type": "application/merge-patch+json" };
test.each([
  [
    "a file object",
    "POST",
    "/orders",
    (sha256: string) => ({ note: { ...FILE, sha256, url: `/__files/${sha256}/n` } }),
    {},
  ],
  ["a part of one", "PATCH", "/orders/9", (sha256: string) => ({ note: { sha256 } }), MERGE],
  [
    "a JSON Patch",
    "PATCH",
    "/orders/9",
    (sha256: string) => [{ op: "add", path: "/note/sha256", value: sha256 }],
    PATCH,
  ],
  ["a move", "PATCH", "/orders/9", () => [{ op: "move", from: "/x", path: "/note/sha256" }], PATCH],
  [
    "a batch",
    "POST",
    "/__batch",
    (sha256: string) => ({
      requests: [{ method: "POST", path: "/orders", body: { a: { ...FILE, sha256, url: `/__files/${sha256}/n` } } }],
    }),
    {},
  ],
  [
    "references in a batch",
    "POST",
    "/__batch",
    (sha256: string) => ({
      requests: [
        { method: "POST", path: "/orders", body: { hash: sha256, url: `/__files/${sha256}/n` }, as: "made" },
        { method: "POST", path: "/orders", body: { note: { ...FILE, sha256: "{{made.hash}}", url: "{{made.url}}" } } },
      ],
    }),
    {},
  ],
  [
    "a path in a batch that is a reference",
    "POST",
    "/__batch",
    (sha256: string) => ({
      requests: [
        { method: "POST", path: "/orders", body: { path: "/note/sha256", note: {} }, as: "made" },
        {
          method: "PATCH",
          path: "/orders/{{made.id}}",
          headers: PATCH,
          body: [{ op: "add", path: "{{made.path}}", value: sha256 }],
        },
      ],
    }),
    {},
  ],
])(
  "nobody names a file of others by %s, and nobody learns whether it is there",
  async (_what, method, path, body, headers) => {
    const answers = await Promise.all(
      [SHA256, NONE].map(async (sha256) => {
        const { status, text } = await as("bob", method, path, body(sha256), headers);
        return [status, text.replaceAll(sha256, "")];
      }),
    );
    expect(answers[0]).toEqual([422, expect.stringContaining("FILE_UNKNOWN")]);
    expect(answers[1]).toEqual(answers[0]);
  },
);

test("whoever uploads the same content may name it", async () => {
  const form = new FormData();
  form.append("note", new File([CONTENT], "mine.txt"));
  expect((await as("bob", "POST", "/__files", form)).status).toBe(201);
  expect((await as("bob", "POST", "/orders", { note: FILE })).status).toBe(201);
});

test("without guards, a file object needs a record or an upload, and addresses are plain", async () => {
  const { url, ask } = await startApi({ data: { products: [{ id: 1 }] } });
  expect((await ask("POST /products", { body: { note: FILE } })).body).toMatchObject({ code: "FILE_UNKNOWN" });
  await ask("POST /__files?name=note.txt", { body: CONTENT, headers: { "Content-Type": "text/plain" } });
  const made = await ask("POST /products", { body: { note: { ...FILE, url: `${url}${FILE.url}?s=old` } } });
  expect(made.body).toMatchObject({ note: FILE });
  const lost = { ...FILE, name: "lost", sha256: NONE, url: `/__files/${NONE}/lost` };
  const { ask: askOther } = await startApi({ data: { products: [{ id: 1, note: lost }] } });
  expect((await askOther("PUT /products/1", { body: { note: lost } })).body).toMatchObject({ note: lost });
  const checksum = { sha256: NONE, of: "something else" };
  expect((await ask("POST /products", { body: { checksum } })).body).toMatchObject({ checksum });
});

test("below a base, addresses have it in front", async () => {
  const { ask } = await startApi({ data: { products: [{ id: 1 }] }, base: "/api" });
  const made = await ask("POST /api/products/", { body: {} });
  expect(made.status).toBe(201);
  await ask("PUT /api/products/1/note?name=note.txt", { body: CONTENT, headers: { "Content-Type": "text/plain" } });
  const { note } = (await ask("GET /api/products/1")).body as { note: typeof FILE };
  expect(note.url).toBe(`/api${FILE.url}`);
  expect((await ask(`GET ${note.url}`)).text).toBe(CONTENT);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { createStandin, type Standin } from "../../../src/index.ts";
import { type JsonServer1, startJsonServer1 } from "../../json-server-1/start.ts";
import { type AskOptions, askAt, codeOf } from "../../support/api.ts";

const DATA = { posts: [{ id: "1", title: "a" }], profile: { name: "x" } };

let theirs: JsonServer1;
let ours: Standin<typeof DATA>;

beforeAll(async () => {
  theirs = await startJsonServer1(DATA, "errors");
  ours = await createStandin({ data: structuredClone(DATA), dialect: "json-server-1" });
});

afterAll(async () => {
  theirs.close();
  await ours.close();
});

const one = { body: { a: 1 } };
const plain = { body: "x", headers: { "Content-Type": "text/plain" } };

/** The status of json-server 1.0, and ours where that is another one. docs/migrate-from-json-server.md says why. */
const CASES: [line: string, options: AskOptions, theirs: number, ours?: number][] = [
  ["GET /posts/99", {}, 404],
  ["GET /nosuch", {}, 404],
  ["GET /nosuch/1", {}, 404],
  ["GET /profile/1", {}, 404],
  ["GET /posts/1/comments", {}, 404],
  ["POST /nosuch", one, 404],
  ["POST /a/b/c/d", one, 404],
  ["PUT /posts/99", one, 404],
  ["PUT /nosuch", one, 404],
  ["PATCH /posts/99", one, 404],
  ["PATCH /nosuch", one, 404],
  ["DELETE /posts/99", {}, 404],
  ["DELETE /nosuch", {}, 404],
  ["DELETE /nosuch/1", {}, 404],
  ["POST /posts", { body: [1] }, 400],
  ["PUT /posts/1", { body: [1] }, 400],
  ["PUT /posts/1", { body: "5" }, 400],
  ["PATCH /posts/1", { body: [1] }, 400],
  ["POST /posts", {}, 201],
  ["PUT /posts/1", {}, 200],
  ["PATCH /posts/1", {}, 200],
  ["OPTIONS /posts", {}, 204],
  ["POST /posts", { body: "{" }, 500, 400],
  ["POST /posts", plain, 500, 415],
  ["POST /posts/1", one, 404, 405],
  ["PUT /posts", one, 404, 405],
  ["PATCH /posts", one, 404, 400],
  ["DELETE /posts", {}, 404, 400],
  ["DELETE /profile", {}, 404, 405],
  ["POST /profile", one, 404, 201],
  ["HEAD /posts", {}, 400, 200],
  ["HEAD /posts/99", {}, 400, 404],
  ["GET /db", {}, 404, 200],
];

for (const [line, options, expected, own = expected] of CASES) {
  const { body } = options;
  test(`${line} ${body === undefined ? "" : JSON.stringify(body)} is ${own}, in 1.0 ${expected}`, async () => {
    expect((await askAt(theirs.url, line, options)).status).toBe(expected);
    const answer = await askAt(ours.url, line, options);
    expect(answer.status).toBe(own);
    if (own >= 400 && !line.startsWith("HEAD")) expect(codeOf(answer)).toMatch(/^[A-Z_]+$/);
  });
}

test("1.0 has none of the headers that standin adds, and both have no total and no links", async () => {
  const added = ["etag", "cache-control", "vary", "x-content-type-options", "location", "x-total-count", "link"];
  const headersOf = async (url: string, line: string, options: AskOptions = {}) => {
    const { headers } = await askAt(url, line, options);
    return added.filter((name) => headers.has(name));
  };
  const usual = added.slice(0, 4);
  for (const line of ["GET /posts", "GET /posts?_page=1&_per_page=1", "GET /posts/1"]) {
    expect([line, await headersOf(theirs.url, line)]).toEqual([line, []]);
    expect([line, await headersOf(ours.url, line)]).toEqual([line, usual]);
  }
  expect(await headersOf(theirs.url, "POST /posts", one)).toEqual([]);
  expect(await headersOf(ours.url, "POST /posts", one)).toEqual([...usual, "location"]);
});

test("1.0 allows every origin, standin the one that asks, with credentials", async () => {
  const headers = { Origin: "http://other.example" };
  const allowed = async (url: string) => {
    const answer = await askAt(url, "GET /posts", { headers });
    const names = ["access-control-allow-origin", "access-control-allow-credentials", "content-type"];
    return names.map((name) => answer.headers.get(name));
  };
  expect(await allowed(theirs.url)).toEqual(["*", null, "application/json"]);
  expect(await allowed(ours.url)).toEqual(["http://other.example", "true", "application/json; charset=utf-8"]);
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin } from "../../../src/index.ts";
import { askAt } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { runKept, serveKept } from "../../support/kept-process.ts";

const DATA = {
  posts: [
    { id: "1", title: "b", views: 10, note: null },
    { id: "2", title: "A", views: 20, note: "x" },
    { id: "3", title: "a", views: 30 },
  ],
  comments: [
    { id: "c1", postId: "1" },
    { id: "c2", postId: "2" },
  ],
};

async function serve(): Promise<Standin<typeof DATA>> {
  const api = await createStandin({ data: structuredClone(DATA), dialect: "json-server-1" });
  onTestFinished(() => api.close());
  return api;
}

const idsOf = (body: unknown): unknown => (Array.isArray(body) ? body.map(({ id }) => id as string) : body);

describe("lists in the dialect of json-server 1.0", () => {
  const where = encodeURIComponent('{"views":{"gte":20}}');
  const cases: [line: string, ids: string[]][] = [
    ["GET /posts?_sort=title", ["3", "2", "1"]],
    ["GET /posts?nosuch=1", []],
    ["GET /posts?note=null", ["1"]],
    [`GET /posts?id=1&_where=${where}`, ["2", "3"]],
    ["GET /posts?_per_page=1", ["1", "2", "3"]],
    ["GET /posts?_page=abc", ["1", "2", "3"]],
  ];
  for (const [line, ids] of cases) {
    test(`${decodeURIComponent(line)} lists ${ids.join(", ") || "nothing"}`, async () => {
      const { url } = await serve();
      expect(idsOf((await askAt(url, line)).body)).toEqual(ids);
    });
  }

  test("_page alone is an object with the pages", async () => {
    const { url } = await serve();
    expect((await askAt(url, "GET /posts?_page=1")).body).toMatchObject({ first: 1, last: 1, items: 3, prev: null });
  });

  test("a list has an ETag that changes with its records", async () => {
    const { url } = await serve();
    const etag = (await askAt(url, "GET /posts?views:gt=1")).headers.get("etag")!;
    expect((await askAt(url, "GET /posts?views:gt=1", { headers: { "If-None-Match": etag } })).status).toBe(304);
    await askAt(url, "PATCH /posts/1", { body: { views: 0 } });
    expect((await askAt(url, "GET /posts?views:gt=1", { headers: { "If-None-Match": etag } })).status).toBe(200);
  });

  test("more records than are sorted at once are sorted alike", async () => {
    const rows = Array.from({ length: 10_500 }, (_, at) => ({ id: `${at}`, name: `n${(at * 7919) % 10_500}` }));
    const api = await createStandin({ data: { rows }, dialect: "json-server-1" });
    onTestFinished(() => api.close());
    const { body } = await askAt(api.url, "GET /rows?_sort=-name,id");
    const expected = rows.toSorted((a, b) => b.name.localeCompare(a.name));
    expect((body as { name: string }[]).map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
  });
});

describe("writes in the dialect of json-server 1.0", () => {
  test("POST replaces the client's id", async () => {
    const { url } = await serve();
    const { status, body, headers } = await askAt(url, "POST /posts", { body: { id: "1", title: "new" } });
    const { id } = body as { id: string };
    expect([status, body]).toEqual([201, { id: expect.stringMatching(/^[\w-]{11}$/), title: "new" }]);
    expect(headers.get("location")).toBe(`${url}/posts/${id}`);
  });

  test("DELETE returns the record, and sets foreign keys to null", async () => {
    const { url, db } = await serve();
    const { body } = await askAt(url, "DELETE /posts/1");
    expect(body).toEqual(DATA.posts[0]);
    expect(await db.comments.get("c1")).toEqual({ id: "c1", postId: null });
    expect(await db.comments.get("c2")).toEqual({ id: "c2", postId: "2" });
  });

  test("DELETE is one change: with If-Match that fails, or as a dry run, nothing is changed", async () => {
    const { url, db } = await serve();
    expect((await askAt(url, "DELETE /posts/1", { headers: { "If-Match": '"old"' } })).status).toBe(412);
    expect((await askAt(url, "DELETE /posts/1", { headers: { Prefer: "tx=rollback" } })).body).toEqual(DATA.posts[0]);
    expect((await askAt(url, "DELETE /posts/nosuch")).status).toBe(404);
    expect(await db.comments.get("c1")).toEqual({ id: "c1", postId: "1" });
  });

  test("a sandbox has its own data, and the same dialect", async () => {
    const api = await serve();
    const { url } = api.sandbox();
    expect(await (await fetch(`${url}/posts/1`, { method: "DELETE" })).json()).toEqual(DATA.posts[0]);
    expect(await (await fetch(`${url}/posts?nosuch=1`)).json()).toEqual([]);
    expect((await askAt(api.url, "GET /posts/1")).status).toBe(200);
  });
});

test("a request with X-Standin-Dialect, and one of the console, are understood as without the option", async () => {
  const { url } = await serve();
  for (const name of ["X-Standin-Dialect", "X-Standin-Console"]) {
    const { body } = await askAt(url, "GET /posts?_limit=2", { headers: { [name]: "1" } });
    expect(idsOf(body)).toEqual(["1", "2"]);
  }
});

describe("the command line", () => {
  test("--dialect 1 serves ./public beside the folder of -s", async () => {
    const folder = createFolder({ "db.json": DATA });
    for (const name of ["public", "site"]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, `${name}.txt`), name);
      writeFileSync(join(folder, name, "both.txt"), name);
    }
    const { url } = await serveKept(["db.json", "--dialect", "1", "-s", "site"], folder);
    for (const [file, text] of [
      ["public.txt", "public"],
      ["site.txt", "site"],
      ["both.txt", "public"],
    ]) {
      expect([file, await (await fetch(`${url}/${file}`)).text()]).toEqual([file, text]);
    }
    expect((await askAt(url, "GET /posts?nosuch=1")).body).toEqual([]);
  });

  test("an unknown dialect stops the start", async () => {
    const folder = createFolder({ "db.json": DATA, "standin.json": { dialect: "2" } });
    const { exit, output } = runKept(["db.json"], folder);
    expect([await exit, output.stderr]).toEqual([1, expect.stringContaining('"dialect"')]);
  });
});

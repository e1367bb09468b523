import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { type AskOptions, askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { serveJsonServer } from "../support/json-server-cli.ts";

/** json-server-reset as it is published, the way the Cypress workshops use it: `-m json-server-reset`, `POST /reset`. */
const data = { todos: [{ id: 1, title: "old", completed: false }], lists: [{ id: 1 }] };
const RESET = "./node_modules/json-server-reset";
const MERGE = `${RESET}/src/merge.js`;

function fileOf(): string {
  return join(createFolder({ "db.json": data }), "db.json");
}

const REQUESTS: readonly (AskOptions & { readonly line: string })[] = [
  { line: "POST /todos", body: { title: "new" } },
  { line: "POST /reset", body: { todos: [], lists: [] } },
  { line: "GET /todos" },
  { line: "POST /todos", body: { title: "first" } },
  { line: "GET /db" },
  { line: "POST /reset", body: { todos: [{ id: "x", title: "text id" }], lists: [{ id: 2 }] } },
  { line: "GET /todos/x" },
  { line: "GET /lists" },
  { line: "POST /reset", body: {} },
  { line: "POST /reset", body: [] },
  { line: "GET /db" },
  { line: "POST /merge", body: { lists: [{ id: 9 }] } },
  { line: "GET /db" },
  { line: "POST /reset", body: { todos: [] } },
  { line: "GET /db" },
];

describe("json-server-reset does what it does on json-server 0.17.4", () => {
  const servers = { theirs: "", ours: "" };
  beforeAll(async () => {
    const folder = createFolder({ "db.json": data });
    servers.theirs = await serveJsonServer(["db.json", "-m", resolve(RESET), resolve(MERGE)], folder);
    const ours = await createStandin({ source: fileOf(), persist: true, middlewares: [RESET, MERGE] });
    servers.ours = ours.url;
    return () => ours.close();
  });

  for (const { line, ...options } of REQUESTS) {
    test(`${line} ${JSON.stringify(options.body ?? "")}`, async () => {
      const [expected, given] = await Promise.all(
        [servers.theirs, servers.ours].map(async (url) => {
          const { status, body, text } = await askAt(url, line, options);
          return { status, body: body ?? text };
        }),
      );
      expect(given).toEqual(expected);
    });
  }
});

test("it is found by its name alone, and what it sets is in the file", async () => {
  const file = fileOf();
  const api = await createStandin({ source: file, persist: true, middlewares: ["json-server-reset"] });
  onTestFinished(() => api.close());
  expect((await askAt(api.url, "POST /reset", { body: { todos: [], lists: [] } })).status).toBe(200);
  await expect.poll(() => JSON.parse(readFileSync(file, "utf8"))).toEqual({ todos: [], lists: [] });
  expect(await api.changes()).toMatchObject([
    {
      edits: [
        { name: "todos", kind: "removed", id: 1 },
        { name: "lists", kind: "removed" },
      ],
    },
  ]);
});

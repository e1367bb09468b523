import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JsonObject, parseJson } from "../../src/base/json/json.ts";
import { createStandin } from "../../src/index.ts";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";
import { serveStore } from "../support/serve-store.ts";
import { IS_SOAK, testAtLength } from "../support/soak.ts";
import { createStore, newSchema, sharedDatabase } from "./database.ts";
import { startProcess } from "./processes.ts";

/** Neighbours that share their nearest double, with it among them, and numbers that are near no double. */
const TWEETS = [
  '{"id":9007199254740993,"n":9007199254740993,"deep":{"list":[1e400,0.1000000000000000055511151231257827]}}',
  '{"id":9007199254740992,"n":9007199254740992}',
  '{"id":"9007199254740994","n":"9007199254740993"}',
  '{"id":4,"n":-9007199254740993,"deep":{"list":[9007199254740993,1]}}',
  '{"id":5,"n":1E+400}',
  '{"id":6,"n":123456789012345678901234567890}',
  '{"id":7,"n":1234567890123456789.5e-3,"deep":{"list":["9007199254740993"]}}',
  '{"id":8,"n":1e-400}',
  '{"id":9,"n":5}',
];
const LIKES = [
  '{"id":1,"tweetId":9007199254740993}',
  '{"id":2,"tweetId":9007199254740992}',
  '{"id":3,"tweetId":"9007199254740993"}',
  '{"id":4,"tweetId":9007199254740995}',
];
const TEXT = `{"tweets":[${TWEETS}],"likes":[${LIKES}],"one":{"n":1e400}}`;

const READS = [
  "/tweets",
  "/tweets/9007199254740993",
  "/tweets/9007199254740992",
  "/tweets/9007199254740993?_embed=likes",
  "/tweets?_embed=likes",
  "/tweets/9007199254740993/likes",
  "/likes?_expand=tweet",
  "/likes/1?_expand=tweet",
  "/one",
  "/tweets?n=9007199254740993",
  "/tweets?n=9007199254740992",
  "/tweets?n=9007199254740994",
  "/tweets?n=9007199254740993&n=5",
  "/tweets?n=-9007199254740993",
  "/tweets?n=123456789012345678901234567890",
  "/tweets?n=1.2345678901234568e%2B29",
  "/tweets?n=1234567890123456789.5e-3",
  "/tweets?n=1E%2B400",
  "/tweets?n=1e400",
  "/tweets?n=1e-400",
  "/tweets?n=0",
  "/tweets?n=1.7976931348623157e%2B308",
  "/tweets?n_ne=9007199254740993",
  "/tweets?n_ne=9007199254740992",
  "/tweets?n:eq=9007199254740992",
  "/tweets?n:in=9007199254740992,5",
  "/tweets?n:not:eq=9007199254740993",
  "/tweets?n_gte=9007199254740992&n_lte=9007199254740992",
  "/tweets?n:gt=9007199254740992",
  "/tweets?n_gte=1e400",
  "/tweets?n_lt=0",
  "/tweets?n_like=740993",
  "/tweets?n:contains=740993",
  "/tweets?deep.list=9007199254740993",
  "/tweets?deep.list=9007199254740992",
  "/tweets?deep.list=9007199254740993,1",
  "/tweets?deep.list=0.1000000000000000055511151231257827",
  "/tweets?q=740993",
  '/tweets?_where={"n":9007199254740993}',
  '/tweets?_where={"or":[{"n":9007199254740992},{"n":5}]}',
  "/tweets?_sort=n",
  "/tweets?_sort=n&_order=desc&_limit=3",
  "/tweets?_group=n",
  "/tweets?_aggregate=max:n,min:n,count",
  "/tweets?id=9007199254740993",
  "/tweets?id=9007199254740992",
  "/tweets?_fields=deep.list",
  "/db",
];

/** `npm test` asks every other read of a database without an index. */
const reads = (isBrief: boolean): string[] => READS.filter((_, at) => IS_SOAK || !isBrief || at % 2 === 0);

describe.each([
  ["without an index", {}, reads(true)],
  ["with an index", { tweets: ["n"], likes: ["tweetId"] }, reads(false)],
])("%s, each query has the result that it has in memory", (_name, indexes, paths) => {
  let postgres: string;
  let memory: string;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const file = join(createFolder({}), "db.json");
    writeFileSync(file, TEXT);
    const standin = await createStandin({ source: file });
    closing.push(() => standin.close());
    memory = standin.url;
    const { store, close } = await createStore({ indexes });
    await store.data.replace(incomingMembers(parseJson(TEXT) as JsonObject), true);
    const served = await serveStore(store);
    closing.push(served.close, close);
    postgres = served.url;
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  test.each(paths)("GET %s", async (path) => {
    const [expected, found] = await Promise.all([askAt(memory, `GET ${path}`), askAt(postgres, `GET ${path}`)]);
    expect([found.status, compact(found.text)]).toEqual([expected.status, compact(expected.text)]);
  });
});

testAtLength("writes, snapshots, another process and an export keep them", async () => {
  const url = await sharedDatabase();
  const schema = newSchema();
  const folder = createFolder({});
  writeFileSync(join(folder, "db.json"), TEXT);
  const run = (...args: string[]) => runKept([...args, "--schema", schema], folder).exit;
  expect(await run("import", "db.json", url)).toBe(0);
  const first = await startProcess(url, schema);
  const ask = async (line: string, body?: unknown) => askAt(first.url, line, body === undefined ? {} : { body });
  const textAt = async (path: string) => compact((await ask(`GET ${path}`)).text);

  expect((await ask("POST /notes", {})).status).toBe(404);
  await ask("POST /__collections", { name: "notes" });
  const note = '{"n":9007199254740995,"list":[{"m":-1e-400}],"id":1}';
  expect(compact((await ask("POST /notes", note)).text)).toBe(note);
  expect(compact((await ask("PATCH /tweets/4", { a: 1 })).text)).toBe(`${TWEETS[3]!.slice(0, -1)},"a":1}`);
  expect(compact((await ask("PATCH /one", { m: 1 })).text)).toBe('{"n":1e400,"m":1}');
  const changed = await textAt("/db");

  const { id } = (await ask("POST /__snapshots__", {})).body as { id: string };
  expect((await ask("DELETE /tweets/4")).status).toBe(200);
  expect((await ask(`PUT /__snapshots__/${id}`)).status).toBe(200);
  expect(await textAt("/db")).toBe(changed);

  first.child.kill("SIGTERM");
  expect(await first.exit).toBe(0);

  const second = await startProcess(url, schema);
  expect(compact((await askAt(second.url, "GET /db")).text)).toBe(changed);
  second.child.kill("SIGTERM");
  expect(await second.exit).toBe(0);
  expect(await run("export", url, "out.json")).toBe(0);
  expect(compact(readFileSync(join(folder, "out.json"), "utf8"))).toBe(changed);
});

/** The text without white space, which none of these strings has. */
function compact(text: string): string {
  return text.replace(/\s/g, "");
}

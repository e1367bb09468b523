import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseJson, stringifyJson } from "../../src/base/json/json.ts";
import { createStandin } from "../../src/index.ts";
import { opened } from "../durability/opened.ts";
import { type Api, askAt, startApi } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { EXACT, exactly, jsonText, PLAIN } from "../support/exact-texts.ts";

describe("parsing and writing", () => {
  test.each(EXACT)("%s keeps its text", (text) => {
    const value = parseJson(`{"a":[${text}]}`);
    expect(stringifyJson(value)).toBe(`{"a":[${text}]}`);
    expect(stringifyJson(value, 2)).toBe(`{\n  "a": [\n    ${text}\n  ]\n}`);
    expect((value as { a: number[] }).a[0]).toBe(Number(text));
  });

  test.each(PLAIN)("%s is a double", (text) => {
    expect(parseJson(`[${text}]`)).toEqual(JSON.parse(`[${text}]`));
  });

  const inStrings = ['"9007199254740993"', '"a, 9007199254740993"', '"\\", 1e400 ,"', '{"1e400":"x 1e400 "}', '"\\\\"'];
  test.each(inStrings)("%s has no number", (text) => {
    expect(stringifyJson(parseJson(`[1e400,${text}]`))).toBe(`[1e400,${JSON.stringify(JSON.parse(text))}]`);
    expect(parseJson(`[${text}]`)).toEqual([JSON.parse(text)]);
  });

  const mistakes = [
    "{9007199254740993:1}",
    "{1e400 \n :1}",
    "[01e400]",
    "[1.e400]",
    "[1e400 1]",
    '["a"1e400]',
    "[+1e400]",
    "[--1e400]",
    "1e400,",
  ];
  test.each(mistakes)("%s is no JSON", (text) => {
    expect(() => parseJson(text)).toThrow(/^line \d+, column \d+/);
  });

  test("__proto__ is a key like any other", () => {
    const value = parseJson('{"__proto__":9007199254740993}');
    expect(stringifyJson(value)).toBe('{"__proto__":9007199254740993}');
  });

  test("any JSON text keeps all its values", () => {
    fc.assert(
      fc.property(
        jsonText().map((value) => `[${value}]`),
        (text) => {
          const value = parseJson(text);
          expect(exactly(stringifyJson(value))).toBe(exactly(text));
          expect(exactly(stringifyJson(parseJson(stringifyJson(value, 2))))).toBe(exactly(text));
        },
      ),
      { numRuns: 500 },
    );
  });
});

const TWEETS = '[{"id":1,"snowflake":9007199254740993,"deep":{"list":[1e400,0.1000000000000000055511151231257827]}}]';

describe("in a file", () => {
  test("a write to another collection changes none", async () => {
    const { ask, file, close } = await serveText(`{"tweets":${TWEETS},"one":{"n":1e400},"other":[]}`);
    expect((await ask("POST /other", { body: { a: 1 } })).status).toBe(201);
    await close();
    expect(compact(readFileSync(file, "utf8"))).toBe(`{"tweets":${TWEETS},"one":{"n":1e400},"other":[{"a":1,"id":1}]}`);
  });

  test("a write to another field of the record changes none, nor does one to its neighbour", async () => {
    const { ask, file, close } = await serveText(`{"tweets":${TWEETS},"one":{"n":1e400}}`);
    const merge = { headers: { "Content-Type": "application/merge-patch+json" } };
    const patch = { headers: { "Content-Type": "application/json-patch+json" } };
    await ask("PATCH /tweets/1", { body: { text: "a" } });
    await ask("PATCH /tweets/1", { body: { deep: { b: 2 } }, ...merge });
    await ask("PATCH /tweets/1", { body: [{ op: "add", path: "/list", value: [] }], ...patch });
    await ask("PATCH /one", { body: { m: 1 } });
    await close();
    expect(compact(readFileSync(file, "utf8"))).toBe(
      '{"tweets":[{"id":1,"snowflake":9007199254740993,"deep":{"list":[1e400,0.1000000000000000055511151231257827],"b":2},' +
        '"text":"a","list":[]}],"one":{"n":1e400,"m":1}}',
    );
  });

  test("the journal keeps them through a kill", async () => {
    const folder = createFolder({});
    const file = join(folder, "db.json");
    writeFileSync(file, '{"tweets":[],"other":[]}');
    const first = await opened(folder);
    await first.store.apply({
      kind: "create",
      collection: "tweets",
      bodies: [parseJson('{"n":9007199254740993}') as never],
    });
    const copy = createFolder({});
    cpSync(folder, copy, { recursive: true });
    const second = await opened(copy);
    const [tweets] = await second.store.export();
    expect(tweets?.kind === "collection" && tweets.records.map(({ text }) => text)).toEqual([
      '{"n":9007199254740993,"id":1}',
    ]);
  });
});

describe("in responses", () => {
  const served = () => serveText(`{"tweets":${TWEETS},"users":[{"id":1,"tweetId":1}],"one":{"n":1e400}}`);
  const record = TWEETS.slice(1, -1);
  const cases: [string, string][] = [
    ["GET /tweets", TWEETS],
    ["GET /tweets/1", record],
    ["GET /tweets?_fields=snowflake", '[{"snowflake":9007199254740993}]'],
    ["GET /tweets/1?_fields=deep.list", '{"deep":{"list":[1e400,0.1000000000000000055511151231257827]}}'],
    ["GET /users?_expand=tweet", `[{"id":1,"tweetId":1,"tweet":${record}}]`],
    ["GET /one", '{"n":1e400}'],
    ["GET /tweets?callback=f", `f(${TWEETS})`],
    ["GET /tweets?snowflake=9007199254740992&_fields=id", '[{"id":1}]'],
    ["GET /tweets?snowflake_gte=9007199254740990&_fields=id", '[{"id":1}]'],
    ["GET /tweets?snowflake:lt=9007199254740990&_fields=id", "[]"],
    ["GET /tweets?q=740992&_fields=id", '[{"id":1}]'],
    ["GET /tweets?_sort=snowflake&_fields=id", '[{"id":1}]'],
    ["GET /tweets?_group=snowflake", '[{"snowflake":9007199254740992,"count":1}]'],
    [
      "GET /tweets?_aggregate=max:snowflake,sum:snowflake",
      '[{"max_snowflake":9007199254740992,"sum_snowflake":9007199254740992}]',
    ],
  ];
  test.each(cases)("%s", async (line, expected) => {
    const { ask } = await served();
    const { text, status } = await ask(line);
    expect([status, text.replace(/^\/\*\*\/ typeof f === 'function' && |;$/g, "")]).toEqual([200, expected]);
  });

  test("GET /db", async () => {
    const { ask } = await served();
    expect(compact((await ask("GET /db")).text)).toContain(`"tweets":${TWEETS}`);
  });
});

describe("in requests", () => {
  test("a body keeps them", async () => {
    const api = await startApi({ data: { items: [] } });
    const body = '{"a":9007199254740993,"b":[1e400],"c":{"d":-1e-400}}';
    expect((await api.ask("POST /items", { body })).text.replace(/\s/g, "")).toBe(`${body.slice(0, -1)},"id":1}`);
    expect((await api.ask("GET /items/1")).text.replace(/\s/g, "")).toBe(`${body.slice(0, -1)},"id":1}`);
    await api.ask("PUT /items/1", { body: '{"a":9007199254740995}' });
    expect((await api.ask("GET /items/1")).text.replace(/\s/g, "")).toBe('{"a":9007199254740995,"id":1}');
  });

  test("a large body keeps them", async () => {
    const api = await startApi({ data: { items: [] } });
    const records = Array.from({ length: 5000 }, (_, at) => `{"n":${9007199254740993n + 2n * BigInt(at)}}`);
    expect((await api.ask("POST /items", { body: `[${records.join(",")}]` })).status).toBe(201);
    const { text } = await api.ask("GET /items?_fields=n&_limit=5000");
    expect(text).toBe(`[${records.join(",")}]`);
  });

  test("a batch keeps them", async () => {
    const api = await startApi({ data: { items: [] } });
    const body =
      '{"requests":[{"method":"POST","path":"/items","body":{"n":9007199254740993},"as":"one"},' +
      '{"method":"POST","path":"/items","body":{"n":9007199254740995,"from":"{{one.id}}"}}]}';
    expect((await api.ask("POST /__batch", { body })).status).toBe(200);
    expect((await api.ask("GET /items?_fields=n")).text).toBe('[{"n":9007199254740993},{"n":9007199254740995}]');
  });

  test("an id must be one that a number can hold", async () => {
    const api = await startApi({ data: { items: [] } });
    for (const id of ["9007199254740993", "1e400"]) {
      const { status, body } = await api.ask("POST /items", { body: `{"id":${id}}` });
      expect([status, (body as { code: string }).code]).toEqual([400, "ID_INVALID"]);
    }
  });

  test("rules judge the nearest double", async () => {
    const rules = { items: { properties: { n: { type: "number", minimum: 5 } } } };
    const api = await startApi({ data: { items: [] }, rules });
    expect((await api.ask("POST /items", { body: '{"n":9007199254740993}' })).text).toContain("9007199254740993");
    expect((await api.ask("POST /items", { body: '{"n":1e-400}' })).status).toBe(422);
  });
});

describe("ids that no double has", () => {
  test("are addressed by the nearest double, which JavaScript clients know, and keep their digits", async () => {
    const { ask, file, close } = await serveText(
      '{"tweets":[{"id":9007199254740993,"a":1},{"id":9007199254740997,"a":2}],"likes":[{"id":1,"tweetId":9007199254740997}]}',
    );
    expect((await ask("GET /tweets/9007199254740996?_fields=a")).text).toBe('{"a":2}');
    expect((await ask("GET /tweets/9007199254740996/likes")).text).toBe('[{"id":1,"tweetId":9007199254740997}]');
    expect((await ask("PATCH /tweets/9007199254740992", { body: { a: 3 } })).status).toBe(200);
    expect((await ask("PUT /tweets/9007199254740996", { body: '{"id":9007199254740997,"a":4}' })).status).toBe(200);
    await close();
    expect(compact(readFileSync(file, "utf8"))).toBe(
      '{"tweets":[{"id":9007199254740993,"a":3},{"id":9007199254740997,"a":4}],"likes":[{"id":1,"tweetId":9007199254740997}]}',
    );
  });
});

describe("beside the data itself", () => {
  test("a sandbox, its promotion, a snapshot and a reset keep them", async () => {
    const { ask } = await serveText(`{"tweets":${TWEETS},"other":[]}`);
    await ask("POST /__sandboxes", { body: { name: "s" } });
    await ask("POST /__sandbox/s/other", { body: '{"n":9007199254740997}' });
    await ask("PATCH /__sandbox/s/tweets/1", { body: { a: 1 } });
    expect((await ask("POST /__sandboxes/s/promote", { body: {} })).status).toBe(200);
    const after = `${TWEETS.slice(0, -2)},"a":1}]`;
    expect((await ask("GET /tweets")).text).toBe(after);
    expect((await ask("GET /other")).text).toBe('[{"n":9007199254740997,"id":1}]');
    const { id } = (await ask("POST /__snapshots__", { body: {} })).body as { id: string };
    await ask("DELETE /tweets/1");
    await ask(`PUT /__snapshots__/${id}`);
    expect((await ask("GET /tweets")).text).toBe(after);
    await ask("POST /__reset");
  });

  test("a repeated request with a key is the same only with the same number", async () => {
    const api = await startApi({ data: { items: [] } });
    const post = (n: string) => api.ask("POST /items", { body: `{"n":${n}}`, headers: { "Idempotency-Key": '"k"' } });
    expect((await post("9007199254740993")).status).toBe(201);
    expect((await post("9007199254740993")).text).toContain("9007199254740993");
    expect((await post("9007199254740995")).status).toBeGreaterThanOrEqual(400);
  });
});

interface ServedText extends Pick<Api, "ask"> {
  readonly file: string;
  close(): Promise<void>;
}

/** Serves a file with this text, and writes changes back. */
async function serveText(text: string): Promise<ServedText> {
  const file = join(createFolder({}), "db.json");
  writeFileSync(file, text);
  const standin = await createStandin({ source: file, persist: true });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await standin.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { file, close, ask: (line, options) => askAt(standin.url, line, options) };
}

/** The text without white space, which none of these strings has. */
function compact(text: string): string {
  return text.replace(/\s/g, "");
}

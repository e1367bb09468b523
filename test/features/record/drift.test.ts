import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../../src/base/json/json.ts";
import { type Drift, isBreaking } from "../../../src/features/record/drift/drift.ts";
import { driftOfApi } from "../../../src/features/record/drift/run-drift.ts";
import { inferRecording } from "../../../src/features/record/infer/infer-recording.ts";
import type { ApiDocument } from "../../../src/openapi/read/api-document.ts";
import { readApiDocument } from "../../../src/openapi/read/load-api-document.ts";
import { createPair } from "../../support/certificates.ts";
import { createFolder } from "../../support/cli.ts";
import { runKept } from "../../support/kept-process.ts";
import { browse, type Change, type MovingApi, type MovingReply, startMovingApi } from "./moving-api.ts";

let api: MovingApi;
let recording: ReturnType<typeof inferRecording>;
let document: ApiDocument;
beforeAll(async () => {
  api = await startMovingApi();
  recording = inferRecording(await browse(api));
  document = await readApiDocument({ file: "api.json", root: recording.document });
});
beforeEach(() => {
  api.change = () => {};
});

const drift = (): Promise<Drift> => driftOfApi(document, { address: api.url });

const dataIn = ({ body }: MovingReply): Json => (isJsonObject(body) ? (body.data ?? null) : null);

/** Changes each product, wherever it is shown. */
const eachProduct =
  (change: (product: JsonObject) => unknown): Change =>
  (reply, path) => {
    for (const one of path.startsWith("/products") ? [dataIn(reply)].flat() : []) if (isJsonObject(one)) change(one);
  };
const at =
  (wanted: string, change: Partial<MovingReply> | ((reply: MovingReply) => unknown)): Change =>
  (reply, path) => {
    if (!(wanted.endsWith("/") ? path.startsWith(wanted) : path === wanted)) return;
    if (typeof change === "function") change(reply);
    else Object.assign(reply, change);
  };

const LIST = "GET /products";
const ITEM = "GET /products/{productId}";
const planted: readonly (readonly [what: string, change: Change, finding: string])[] = [
  ["a field of records is gone", eachProduct((one) => delete one.price), `${ITEM} /data/price field gone`],
  ["a field of a list is gone", eachProduct((one) => delete one.name), `${LIST} /data/*/name field gone`],
  [
    "a nested field is gone",
    eachProduct((one) => delete (one.maker as JsonObject).country),
    `${ITEM} /data/maker/country field gone`,
  ],
  [
    "a field in a list of a record is gone",
    eachProduct((one) => delete (one.parts as JsonObject[])[0]?.size),
    `${LIST} /data/*/parts/*/size field gone`,
  ],
  ["an object is gone", eachProduct((one) => delete one.maker), `${ITEM} /data/maker field gone`],
  ["a number is a text", eachProduct((one) => (one.price = "5.00")), `${ITEM} /data/price type changed`],
  ["an id is a text", eachProduct((one) => (one.id = String(one.id))), `${LIST} /data/*/id type changed`],
  ["a text is an object", eachProduct((one) => (one.name = { en: "x" })), `${LIST} /data/*/name type changed`],
  ["an object is a text", eachProduct((one) => (one.maker = "1")), `${ITEM} /data/maker type changed`],
  ["a list is a text", eachProduct((one) => (one.tags = "a,b")), `${LIST} /data/*/tags type changed`],
  ["elements are numbers", eachProduct((one) => (one.tags = [1])), `${ITEM} /data/tags/* type changed`],
  ["a choice is a flag", eachProduct((one) => (one.status = true)), `${LIST} /data/*/status type changed`],
  ["null where there never was", eachProduct((one) => (one.name = null)), `${ITEM} /data/name null`],
  [
    "null in one of many",
    eachProduct((one) => one.id === 5 && Object.assign(one, { price: null })),
    `${LIST} /data/*/price null`,
  ],
  ["null in place of an object", eachProduct((one) => (one.maker = null)), `${ITEM} /data/maker null`],
  [
    "the list has another name",
    at("/products", (reply) => Object.assign(reply, { body: { items: dataIn(reply) } })),
    `${LIST} /data envelope`,
  ],
  [
    "the list has no envelope",
    at("/products", (reply) => Object.assign(reply, { body: dataIn(reply) })),
    `${LIST}  envelope`,
  ],
  [
    "the list has an envelope",
    at("/companies", (reply) => Object.assign(reply, { body: { data: reply.body } })),
    "GET /companies  envelope",
  ],
  [
    "a record has no envelope",
    at("/products/", (reply) => Object.assign(reply, { body: dataIn(reply) })),
    `${ITEM} /data envelope`,
  ],
  ["an operation is gone", at("/companies", { status: 404 }), "GET /companies  operation gone"],
  ["all records are gone", at("/companies/", { status: 404 }), "GET /companies/{companyId}  operation gone"],
  ["a read is not allowed any more", at("/health", { status: 405 }), "GET /health  operation gone"],
  ["a status is of another class", at("/stats", { status: 302 }), "GET /stats  status"],
  ["a server fails", at("/products", { status: 500 }), `${LIST}  status`],
  ["a media type is another", at("/health", { type: "text/html" }), "GET /health  media type"],
];

describe("breaking differences are found", () => {
  test("25 changes are planted", () => expect(planted).toHaveLength(25));
  for (const [what, change, finding] of planted) {
    test(`${what}: ${finding}`, async () => {
      api.change = change;
      const { findings } = await drift();
      const found = findings.filter(isBreaking).map((one) => `${one.operation} ${one.pointer} ${one.kind}`);
      expect(found).toContain(finding);
    });
  }
});

describe("other differences", () => {
  test("two runs whose times and counts move find nothing, and send nothing but the recorded GETs", async () => {
    api.asked.length = 0;
    expect((await drift()).findings).toEqual([]);
    expect(await drift()).toMatchObject({ findings: [], notAsked: [], operations: 6 });
    expect(new Set(api.asked.map((line) => line.split(" ")[0]))).toEqual(new Set(["GET"]));
    expect(api.asked).toHaveLength(24);
  });

  const bearable: readonly (readonly [what: string, change: Change, finding: string])[] = [
    ["a new field", eachProduct((one) => (one.color = "red")), `${ITEM} /data/color new field`],
    ["a new value", eachProduct((one) => (one.status = "lost")), `${LIST} /data/*/status new value`],
    [
      "a field that is missing in some",
      eachProduct((one) => one.id === 2 && delete one.price),
      `${LIST} /data/*/price field sometimes missing`,
    ],
  ];
  for (const [what, change, finding] of bearable) {
    test(`${what} breaks nothing`, async () => {
      api.change = change;
      const { findings } = await drift();
      expect(findings.filter(isBreaking)).toEqual([]);
      expect(findings.map((one) => `${one.operation} ${one.pointer} ${one.kind}`)).toContain(finding);
    });
  }

  test("a new value that is a token is not shown", async () => {
    const token = `ghp_${"aB3dE6gH9j".repeat(4)}`;
    api.change = eachProduct((one) => (one.status = token));
    const { findings } = await drift();
    expect(findings.map(({ message }) => message)).toContain('has "...", which was not there');
    expect(JSON.stringify(findings)).not.toContain(token);
  });

  test("records that were removed are replaced by those that the list has", async () => {
    api.change = (reply, path) => {
      if (/^\/products\/[123]$/.test(path)) reply.status = 404;
    };
    api.asked.length = 0;
    expect((await drift()).findings).toEqual([]);
    expect(api.asked).toEqual(expect.arrayContaining(["GET /products/1", "GET /products/4", "GET /products/6"]));
  });
});

describe("standin drift", () => {
  const run = async (...args: readonly string[]) => {
    const folder = createFolder({ "api.json": recording.document, "data.json": recording.data });
    const { output, exit } = runKept(["drift", ...args, "--against", "api.json"], folder);
    return { code: await exit, ...output, folder };
  };

  test("exits with 0 and says so where nothing has changed", async () => {
    const { code, stdout } = await run(api.url);
    expect([code, stdout]).toEqual([
      0,
      `${api.url} against api.json: 12 requests to 6 operations, 0 breaking, 0 not breaking\n`,
    ]);
  });

  test("exits with 1 and prints breaking differences first, as text, JSON and JUnit", async () => {
    api.change = eachProduct((one) => Object.assign(one, { price: "5 €", color: "red" }));
    const { code, stdout } = await run(api.url);
    expect(code).toBe(1);
    expect(stdout).toContain(
      "breaking\n  GET /products              /data/*/price  type changed: was number, is string\n",
    );
    expect(stdout).toContain("\nnot breaking\n  GET /products              /data/*/color  new field: was not there\n");
    const json = JSON.parse((await run(api.url, "--json")).stdout);
    expect(json).toMatchObject({ breaking: 2, notBreaking: 2, requests: 12, operations: 6 });
    const junit = (await run(api.url, "--junit")).stdout;
    expect(junit).toContain('tests="6" failures="2" errors="0"');
    expect(junit).toContain(
      '<failure type="type changed" message="/data/*/price  type changed: was number, is string"/>',
    );
  });

  test("exits with 2 if the API cannot be asked, or wants credentials", async () => {
    expect((await run("http://127.0.0.1:1")).code).toBe(2);
    api.change = (reply) => Object.assign(reply, { status: 401 });
    const { code, stdout } = await run(api.url);
    expect([code, stdout.includes("401: it needs credentials; give them with --header")]).toEqual([2, true]);
  });

  test("exits with 2 if the certificate is not trusted, unless --insecure accepts it", async () => {
    const secure = createSecureServer(await createPair(), async ({ url }, res) => {
      const { status, headers, body } = await fetch(`${api.url}${url}`);
      res.writeHead(status, { "content-type": headers.get("content-type") ?? "" });
      for await (const chunk of body ?? []) res.write(chunk);
      res.end();
    }).listen(0);
    await once(secure, "listening");
    onTestFinished(() => void secure.close());
    const address = `https://localhost:${(secure.address() as AddressInfo).port}`;
    const { code, stdout } = await run(address);
    expect([code, stdout]).toEqual([2, expect.stringContaining("add --insecure")]);
    expect((await run(address, "--insecure")).code).toBe(0);
  });

  test("--update takes the API as it is now, and the next run finds nothing", async () => {
    api.change = (reply, path) => {
      eachProduct((one) => Object.assign(one, { price: "5", maker: undefined, password: "hunter2-secret" }))(
        reply,
        path,
      );
      if (path === "/health") reply.status = 404;
    };
    const { folder, code } = await run(api.url, "--update");
    expect(code).toBe(1);
    const updated = readFileSync(join(folder, "api.json"), "utf8");
    expect(updated).not.toContain("hunter2");
    expect(Object.keys(JSON.parse(updated).paths["/health"])).toEqual([]);
    const { output, exit } = runKept(["drift", api.url, "--against", "api.json"], folder);
    expect([await exit, output.stdout]).toEqual([0, expect.stringContaining("0 breaking, 0 not breaking")]);
  });

  test("reads HTTP archives", async () => {
    api.change = eachProduct((one) => delete one.price);
    const entries = (await browse(api)).map((one) => ({
      startedDateTime: new Date(one.startedAt).toISOString(),
      request: { method: one.method, url: `https://api.test${one.url}`, headers: [] },
      response: {
        status: one.status,
        headers: [{ name: "content-type", value: one.mediaType }],
        content: { text: one.responseBody, mimeType: one.mediaType },
      },
    }));
    const folder = createFolder({ "api.json": recording.document, "capture.har": { log: { entries } } as never });
    const { output, exit } = runKept(["drift", "capture.har", "--against", "api.json"], folder);
    expect([await exit, output.stdout]).toEqual([
      1,
      expect.stringContaining("/data/price  field gone: was always there"),
    ]);
  });

  test("says what is missing or wrong", async () => {
    const cases: readonly (readonly [args: string[], problem: string])[] = [
      [["nowhere.har"], "nowhere.har is neither an address"],
      [[api.url, "--unknown"], "--unknown"],
      [[api.url, "--header", "Authorization"], "is not a header. Write it as"],
      [[api.url, "--header", "A: {env:STANDIN_NOT_SET}"], "the environment variable STANDIN_NOT_SET is not set"],
    ];
    for (const [args, problem] of cases) {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
    }
  });
});

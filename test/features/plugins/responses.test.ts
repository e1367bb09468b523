import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createStandin, definePlugin, type StandinOptions } from "../../../src/index.ts";
import { type Answer, type AskOptions, askAt, codeOf } from "../../support/api.ts";

const BYTES = [0x89, 0x50, 0xff, 0xfe, 0];
const JSON_TYPE = { "Content-Type": "application/json" };

const odd = definePlugin({
  name: "odd",
  routes: {
    "GET /bytes": () => new Response(new Uint8Array(BYTES), { headers: { "Content-Type": "image/png" } }),
    "GET /long-bytes": () => new Response(new Uint8Array(2 ** 21).fill(0xff)),
    "GET /fetched": () =>
      new Response("plain", {
        headers: {
          "Content-Encoding": "gzip",
          "Transfer-Encoding": "chunked",
          Trailer: "X-Sum",
          "Keep-Alive": "timeout=5",
          Vary: "Cookie",
          "Access-Control-Allow-Origin": "*",
        },
      }),
    "GET /no-status": () => Response.error(),
    "GET /no-json": () => new Response("{", { headers: JSON_TYPE }),
    "GET /big-integer": () => 1n,
    "GET /thrown-object": () => {
      throw { status: 422, message: "Too short" };
    },
    "GET /thrown-text": () => {
      throw "no error at all";
    },
  },
});

async function start(
  options: Partial<StandinOptions> = {},
): Promise<(line: string, more?: AskOptions) => Promise<Answer>> {
  const data = { notes: [{ id: 1, text: "a" }] };
  const api = await createStandin({ data, plugins: [odd], ...options } as StandinOptions);
  onTestFinished(() => api.close());
  return (line, more) => askAt(api.url, line, more);
}

test("bytes arrive as they are", async () => {
  const ask = await start();
  const answer = await ask("GET /bytes");
  expect([...answer.bytes]).toEqual(BYTES);
  expect([answer.headers.get("content-type"), answer.headers.get("content-length")]).toEqual(["image/png", "5"]);
  expect((await ask("GET /long-bytes")).bytes.equals(Buffer.alloc(2 ** 21, 0xff))).toBe(true);
});

test("headers about the connection and the compression are the server's own; others take the place of common ones", async () => {
  const ask = await start();
  const { headers, text, status } = await ask("GET /fetched", { headers: { Origin: "http://elsewhere.test" } });
  expect([status, text, headers.get("content-encoding"), headers.get("trailer")]).toEqual([200, "plain", null, null]);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("vary")).toBe("Origin, Accept-Encoding, Cookie");
});

test("a value that cannot be sent is 500 and names the plugin", async () => {
  const ask = await start();
  for (const line of ["GET /no-status", "GET /big-integer", "GET /thrown-text"]) {
    const answer = await ask(line);
    expect([line, answer.status, codeOf(answer)]).toEqual([line, 500, "PLUGIN_FAILED"]);
  }
});

test("any object with a status and a message is passed on to the client", async () => {
  const ask = await start();
  const answer = await ask("GET /thrown-object");
  expect([answer.status, answer.body]).toMatchObject([422, { message: "Too short", code: "PLUGIN_FAILED" }]);
});

test("a body that is not the JSON it claims to be is sent as it is, indented or not", async () => {
  const ask = await start({ pretty: true });
  const answer = await ask("GET /no-json");
  expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([200, "{", "application/json"]);
});

const marking = definePlugin({
  name: "marking",
  step: async ({ query, db }, next) => {
    if (query.has("write")) await db.notes!.create({ text: "by the step" });
    if (query.has("value")) return { no: "response" } as unknown as Response;
    if (query.has("twice")) await next();
    const response = await next();
    if (!query.has("mark")) return response;
    const marked = ((await response.json()) as object[]).map((note) => ({ ...note, marked: true }));
    return Response.json(marked, { headers: response.headers });
  },
});

test("a step sees the whole response, also where the client has it already", async () => {
  const ask = await start({ plugins: [marking] });
  const { headers } = await ask("GET /notes");
  const known = { headers: { "If-None-Match": headers.get("etag")! } };
  expect((await ask("GET /notes", known)).status).toBe(304);
  const marked = await ask("GET /notes?mark=1", known);
  expect([marked.status, marked.body]).toEqual([200, [{ id: 1, text: "a", marked: true }]]);
  // The tag is that of another body.
  expect(marked.headers.get("etag")).toBeNull();
});

test("a step works on the data of the sandbox that a request names", async () => {
  const ask = await start({ plugins: [marking] });
  expect((await ask("GET /__sandbox/a/notes?write=1")).body).toHaveLength(2);
  expect((await ask("GET /notes")).body).toHaveLength(1);
  const without = await start({ plugins: [marking], sandboxes: { count: 0 } });
  expect(codeOf(await without("GET /__sandbox/a/notes?write=1"))).toBe("SANDBOXES_OFF");
  expect((await without("GET /notes")).body).toHaveLength(1);
});

test("a step that returns no response, or carries a request out twice, is told so", async () => {
  const ask = await start({ plugins: [marking] });
  expect((await ask("GET /notes?value=1")).body).toMatchObject({
    message: "The plugin marking failed: A step must return a Response, or nothing.",
  });
  expect((await ask("POST /notes?twice=1", { body: {} })).body).toMatchObject({
    message: "The plugin marking failed: next() was called twice: a request can be carried out once.",
  });
  expect((await ask("GET /notes")).body).toHaveLength(2);
});

test("a body can be read by a step, a handler and the route of the data, each as often as it likes", async () => {
  const read: unknown[] = [];
  const reading = definePlugin({
    name: "reading",
    routes: { "POST /echo": async ({ request }) => [await request.json(), await request.json(), await request.text()] },
    step: async ({ request }, next) => {
      read.push(await request.text(), await request.json().catch(() => "no JSON"));
      return next();
    },
  });
  const ask = await start({ plugins: [reading] });
  expect((await ask("POST /notes", { body: { text: "b" } })).body).toEqual({ id: 2, text: "b" });
  expect((await ask("POST /echo", { body: { a: 1 } })).body).toEqual([{ a: 1 }, { a: 1 }, '{"a":1}']);
  const gzip = { headers: { "Content-Encoding": "gzip" }, body: gzipSync('{"text":"c"}') };
  expect((await ask("POST /notes", gzip)).body).toEqual({ id: 3, text: "c" });
  expect(codeOf(await ask("POST /notes", { body: "{" }))).toBe("BODY_MALFORMED");
  expect((await ask("GET /notes/1")).status).toBe(200);
  const sent = ['{"text":"b"}', '{"a":1}', '{"text":"c"}'].flatMap((text) => [text, JSON.parse(text)]);
  expect(read).toEqual([...sent, "{", "no JSON", "", undefined]);
});

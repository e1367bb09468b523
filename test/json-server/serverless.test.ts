import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Express } from "express";
import serverless from "serverless-http";
import { describe, expect, onTestFinished, test } from "vitest";
import * as jsonServer from "../../src/json-server/module.ts";
import { askAt } from "../support/api.ts";

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

function createApp({ parsesBodies = false, mount = "/" } = {}): Express {
  const app = jsonServer.create();
  app.use(jsonServer.defaults({ logger: false, bodyParser: parsesBodies }));
  return app.use(mount, jsonServer.router({ posts: [{ id: 1 }] })) as Express;
}

interface Event {
  readonly httpMethod: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly isBase64Encoded?: boolean;
}

/** The event that API Gateway and Netlify pass to a function. */
async function call(app: Express, { headers = {}, body = "", ...event }: Event): Promise<[number, unknown]> {
  const handler = serverless(app);
  const requestContext = { identity: { sourceIp: "127.0.0.1" } };
  const given = { ...event, headers: { host: "api.example", ...headers }, body, requestContext };
  const response = (await handler(given, {})) as { statusCode: number; body: string };
  return [response.statusCode, JSON.parse(response.body)];
}

for (const parsesBodies of [false, true]) {
  describe(`serverless-http, ${parsesBodies ? "with" : "without"} a body parser before the router`, () => {
    const app = () => createApp({ parsesBodies });
    const post = { httpMethod: "POST", path: "/posts" };
    const cases: readonly [string, Event, number, unknown][] = [
      ["a GET", { httpMethod: "GET", path: "/posts/1" }, 200, { id: 1 }],
      ["JSON", { ...post, headers: JSON_TYPE, body: '{"a":"ä"}' }, 201, { a: "ä", id: 2 }],
      [
        "JSON in base64",
        { ...post, headers: JSON_TYPE, body: Buffer.from('{"a":1}').toString("base64"), isBase64Encoded: true },
        201,
        { a: 1, id: 2 },
      ],
      ["a form", { ...post, headers: FORM_TYPE, body: "a=1&b=x+y" }, 201, { a: "1", b: "x y", id: 2 }],
      ["nothing", post, 201, { id: 2 }],
      ["PATCH", { httpMethod: "PATCH", path: "/posts/1", headers: JSON_TYPE, body: '{"a":1}' }, 200, { id: 1, a: 1 }],
      ["DELETE", { httpMethod: "DELETE", path: "/posts/1" }, 200, {}],
    ];
    for (const [name, event, status, body] of cases) {
      test(`${name} -> ${status}`, async () => {
        expect(await call(app(), event)).toEqual([status, body]);
      });
    }
  });
}

test("serverless-http: what is not JSON is refused, and compressed JSON is read", async () => {
  const post = { httpMethod: "POST", path: "/posts" };
  expect(await call(createApp(), { ...post, headers: JSON_TYPE, body: "{" })).toMatchObject([
    400,
    { code: "BODY_MALFORMED" },
  ]);
  expect(await call(createApp(), { ...post, headers: { "content-type": "text/plain" }, body: "x" })).toMatchObject([
    415,
    { code: "BODY_TYPE_UNSUPPORTED" },
  ]);
  const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
  expect(await call(createApp(), { ...post, headers, body: gzipSync('{"a":1}') })).toEqual([201, { a: 1, id: 2 }]);
});

test("Netlify: a router below the path of its function", async () => {
  const app = createApp({ mount: "/.netlify/functions/server" });
  const path = "/.netlify/functions/server/posts";
  expect(await call(app, { httpMethod: "POST", path, headers: JSON_TYPE, body: '{"a":1}' })).toEqual([
    201,
    { a: 1, id: 2 },
  ]);
});

/** A server that does to requests what a host does before it calls the app. */
async function hostOf(prepare: (req: IncomingMessage & { body?: unknown; rawBody?: Buffer }, sent: Buffer) => void) {
  const app = createApp();
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    prepare(req, Buffer.concat(chunks));
    app(req, res);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const HOSTS: Readonly<Record<string, Parameters<typeof hostOf>[0]>> = {
  "Firebase functions: a parsed body, and its bytes in rawBody": (req, sent) => {
    req.rawBody = sent;
    req.body = JSON.parse(sent.toString());
  },
  "a host that leaves the bytes in rawBody alone": (req, sent) => {
    req.rawBody = sent;
  },
  "a host that leaves text": (req, sent) => {
    req.body = sent.toString();
  },
  "a host that leaves a Uint8Array": (req, sent) => {
    req.body = new Uint8Array(sent);
  },
  "Vercel: a body that is parsed when it is first looked at": (req, sent) => {
    const get = (): unknown => JSON.parse(sent.toString());
    const set = (value: unknown): unknown => Object.defineProperty(req, "body", { value, writable: true });
    Object.defineProperty(req, "body", { get, set, configurable: true });
  },
};

for (const [name, prepare] of Object.entries(HOSTS)) {
  test(name, async () => {
    const url = await hostOf(prepare);
    const { status, body } = await askAt(url, "POST /posts", { body: { a: { b: [1] } } });
    expect([status, body]).toEqual([201, { a: { b: [1] }, id: 2 }]);
  });
}

test("Vercel: a body that cannot be parsed is 400, not a crash", async () => {
  const url = await hostOf(HOSTS["Vercel: a body that is parsed when it is first looked at"]!);
  const { status, body } = await askAt(url, "POST /posts", { body: "{" });
  expect([status, body]).toMatchObject([400, { code: "BODY_MALFORMED" }]);
});

import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import type { JsonObject } from "../../src/base/json/json.ts";
import { installApart } from "../support/install-apart.ts";

/**
 * `npm test` compares with what json-server 1.0 has responded to the same requests. `npm run soak` asks itself, and
 * STANDIN_RECORD_JSON_SERVER_1=1 with `npm test`'s numbers writes the responses anew.
 */
const IS_LIVE = Boolean(process.env.STANDIN_SOAK);
const RECORDS = Boolean(process.env.STANDIN_RECORD_JSON_SERVER_1);

export interface JsonServer1 {
  readonly url: string;
  readonly close: () => void;
}

interface Recorded {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}
/** The responses to each request, in order. */
type Recording = Record<string, Recorded[]>;

const NOT_RECORDED: Recorded = { status: 599, headers: {}, body: "This request was never recorded." };
/** Of the connection, not of the response. */
const OF_CONNECTION = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);

/** json-server 1.0 with these data; `session` names the recording of one run of requests. */
export async function startJsonServer1(data: JsonObject, session: string): Promise<JsonServer1> {
  const file = join(import.meta.dirname, `${session}.json.gz`);
  if (IS_LIVE) return original(data);
  if (!RECORDS) return listen(replay(JSON.parse(gunzipSync(readFileSync(file)).toString()) as Recording));
  const live = await original(data);
  const recording: Recording = {};
  const recorder = await listen(record(live.url, recording));
  return {
    url: recorder.url,
    close: () => {
      recorder.close();
      live.close();
      writeFileSync(file, gzipSync(JSON.stringify(recording), { level: 9 }));
    },
  };
}

/** It has no types. */
interface Module {
  createApp(database: object): { listen(port: number, ready: undefined, host: string): Server };
}

async function original(data: JsonObject): Promise<JsonServer1> {
  const installed = join(installApart("test/json-server-1"), "index.js");
  const app = join(createRequire(installed).resolve("json-server/package.json"), "../lib/app.js");
  const { createApp } = (await import(pathToFileURL(app).href)) as Module;
  const database = { data: structuredClone(data), read: async () => {}, write: async () => {} };
  return listening(createApp(database).listen(0, undefined, "127.0.0.1"));
}

function replay(recording: Recording): RequestListener {
  return async (req, res) => {
    const { status, headers, body } = recording[await lineOf(req)]?.shift() ?? NOT_RECORDED;
    res.writeHead(status, headers).end(body);
  };
}

function record(url: string, recording: Recording): RequestListener {
  return async (req, res) => {
    const line = await lineOf(req);
    const sent = line.slice(line.indexOf("\n") + 1);
    const type = req.headers["content-type"];
    const init = { method: req.method ?? "GET", ...(type && { headers: { "Content-Type": type } }) };
    const response = await fetch(`${url}${req.url}`, { ...init, ...(sent && { body: sent }) });
    const headers = Object.fromEntries([...response.headers].filter(([name]) => !OF_CONNECTION.has(name)));
    const recorded = { status: response.status, headers, body: await response.text() };
    recording[line] = [...(recording[line] ?? []), recorded];
    res.writeHead(recorded.status, headers).end(recorded.body);
  };
}

async function lineOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return `${req.method} ${req.url} ${req.headers["content-type"] ?? ""}\n${Buffer.concat(chunks)}`;
}

function listen(handler: RequestListener): Promise<JsonServer1> {
  return listening(createServer(handler).listen(0, "127.0.0.1"));
}

async function listening(server: Server): Promise<JsonServer1> {
  if (!server.listening) await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

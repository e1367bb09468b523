import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { request as requestSecurely } from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { gunzipSync } from "node:zlib";
import { expectSameResponses, handlerModule, installPackage } from "./own-server.ts";
import type { Runtime } from "./runtime.ts";

/** Ample for the slowest start on a busy machine; only a failure takes this long. */
const WAIT_MS = 60_000;
const PROGRAM = resolve("test/runtimes/program.mjs");
const JSON_BODY = { "content-type": "application/json" };
const POSTS = [
  { id: 1, title: "one", views: 10 },
  { id: 2, title: "two", views: 30 },
  { id: 3, title: "three", views: 20 },
];
type Post = (typeof POSTS)[number];

const DATA = { posts: POSTS, profile: { name: "standin" } };

const STEPS: readonly (readonly [string, (bench: Bench) => Promise<void>])[] = [
  ["queries", queries],
  ["writes and conditional requests", writes],
  ["an interceptor", interceptor],
  ["gzip", gzip],
  ["a large body", largeBody],
  ["events", events],
  ["a reload after an edit of the file", reload],
  ["sandboxes", sandboxes],
  ["the console and its script", consolePage],
  ["a snapshot", snapshot],
  ["malformed requests", malformed],
  ["kill -9 and recovery", recovery],
  ["a stop with open connections", stop],
  ["a module as source", moduleSource],
  ["HTTPS", https],
  ["createStandin", program],
  ["standin/fetch behind the runtime's own server", ownServer],
];

/** Runs every step with a server under this runtime, and returns a line for each one that failed. */
export async function smoke(
  runtime: Runtime,
  { place, say = () => {} }: { place: string; say?: (text: string) => void },
): Promise<string[]> {
  const failures: string[] = [];
  const bench = new Bench(runtime, place);
  try {
    for (const [name, step] of STEPS) {
      if (step === ownServer && !runtime.server) continue;
      const failure = await step(bench).then(
        () => undefined,
        (thrown: Error) => `${name}: ${thrown.message}\n${bench.output.replace(/^.{300,}$/gm, "")}`,
      );
      say(`${failure === undefined ? "ok    " : "FAILED"} ${failure ?? name}`);
      if (failure !== undefined) failures.push(failure);
    }
  } finally {
    await bench.clear();
  }
  return failures;
}

/** A folder with data, and the servers that were started in it. */
class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), "standin-smoke-"));
  readonly file = join(this.folder, "db.json");
  readonly place: string;
  /** The output of the current server. */
  output = "";
  readonly #runtime: Runtime;
  readonly #running = new Set<ChildProcess>();
  #serving: Promise<string> | undefined;
  #child: ChildProcess | undefined;

  constructor(runtime: Runtime, place: string) {
    this.#runtime = runtime;
    this.place = place;
    writeFileSync(this.file, JSON.stringify(DATA));
    const interceptor = 'module.exports = (req, res, next) => { res.setHeader("X-Seen", req.method); next(); };\n';
    writeFileSync(join(this.folder, "seen.cjs"), interceptor);
    writeFileSync(join(this.folder, "data.mjs"), "export default () => ({ numbers: [{ id: 1 }, { id: 2 }] });\n");
  }

  /** The address of the server that most steps share. */
  url(): Promise<string> {
    this.#serving ??= this.serve("db.json", "--watch", "--snapshots", "saved", "--middlewares", "./seen.cjs");
    return this.#serving;
  }

  async serve(...args: readonly string[]): Promise<string> {
    this.#child = this.start(join(this.place, "dist/cli.js"), ...args, "--port", "0");
    return until(() => /serving at (\S+)/.exec(stripVTControlCharacters(this.output))?.[1]);
  }

  /** Serves a module that exports `fetch` by the runtime's own server. */
  async serveModule(text: string): Promise<string> {
    writeFileSync(join(this.folder, "handler.mjs"), text);
    this.#child = this.#spawn(this.#runtime.server!, "handler.mjs");
    return until(() => /https?:\/\/[^\s/]+/.exec(stripVTControlCharacters(this.output))?.[0]);
  }

  start(script: string, ...args: readonly string[]): ChildProcess {
    return this.#spawn(this.#runtime.command, script, ...args);
  }

  #spawn([program, ...first]: Runtime["command"], ...args: readonly string[]): ChildProcess {
    this.output = "";
    const child = spawn(program, [...first, ...args], { cwd: this.folder, stdio: "pipe" });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        this.output += chunk;
      });
    }
    this.#running.add(child);
    child.once("close", () => this.#running.delete(child));
    return child;
  }

  /** Ends the server, and resolves with its exit code. Windows knows no signal but SIGKILL: there, `q` and enter stop it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#serving = undefined;
    const closed = once(this.#child!, "close");
    if (process.platform === "win32" && signal !== "SIGKILL") this.#child!.stdin!.write("q\n");
    else this.#child!.kill(signal);
    return (await closed)[0];
  }

  async clear(): Promise<void> {
    for (const child of this.#running) {
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function queries(bench: Bench): Promise<void> {
  const url = await bench.url();
  const sorted = await fetch(`${url}/posts?views_gte=20&_sort=views&_order=desc`);
  assert.deepEqual(titles((await sorted.json()) as Post[]), ["two", "three"]);
  const page = await fetch(`${url}/posts?_page=2&_limit=2`);
  assert.equal(page.headers.get("x-total-count"), "3");
  assert.deepEqual(titles((await page.json()) as Post[]), ["three"]);
  assert.equal((await fetch(`${url}/posts/99`)).status, 404);
}

async function writes(bench: Bench): Promise<void> {
  const url = await bench.url();
  const created = await send("POST", `${url}/posts`, { title: "four", views: 0 });
  assert.equal(created.status, 201);
  assert.equal(created.headers.get("location"), `${url}/posts/4`);
  const stale = await send("PATCH", `${url}/posts/4`, { views: 1 }, { "if-match": '"stale"' });
  assert.equal(stale.status, 412);
  await stale.arrayBuffer();
  const changed = await send("PATCH", `${url}/posts/4`, { views: 1 });
  assert.deepEqual(await changed.json(), { id: 4, title: "four", views: 1 });
  assert.equal((await fetch(`${url}/posts/4`, { method: "DELETE" })).status, 200);
  const { etag = "" } = (await ask(`${url}/posts`)).response.headers;
  const { response } = await ask(`${url}/posts`, { headers: { "if-none-match": etag } });
  assert.equal(response.statusCode, 304);
}

async function interceptor(bench: Bench): Promise<void> {
  const seen = await fetch(`${await bench.url()}/profile`);
  assert.equal(seen.headers.get("x-seen"), "GET");
  assert.deepEqual(await seen.json(), DATA.profile);
}

async function gzip(bench: Bench): Promise<void> {
  const url = await bench.url();
  await (await send("POST", `${url}/posts`, { id: 5, title: "long ".repeat(2000), views: 0 })).arrayBuffer();
  const { response, body } = await ask(`${url}/posts`, { headers: { "accept-encoding": "gzip" } });
  assert.equal(response.headers["content-encoding"], "gzip");
  assert.ok(body.length < 2000);
  assert.equal(JSON.parse(gunzipSync(body).toString()).length, 4);
  await (await fetch(`${url}/posts/5`, { method: "DELETE" })).arrayBuffer();
}

async function largeBody(bench: Bench): Promise<void> {
  const url = await bench.url();
  const refused = await send("POST", `${url}/posts`, { title: "x".repeat(12_000_000) }).catch(
    (thrown: Error) => thrown,
  );
  // A server that refuses it early may close the connection under the rest of it.
  if (refused instanceof Response) assert.equal(refused.status, 413);
  const taken = await send("POST", `${url}/posts`, { id: 5, title: "x".repeat(1_000_000) });
  assert.equal(taken.status, 201);
  await taken.arrayBuffer();
  await (await fetch(`${url}/posts/5`, { method: "DELETE" })).arrayBuffer();
}

async function events(bench: Bench): Promise<void> {
  const url = await bench.url();
  const stream = await openStream(`${url}/__events?collection=profile`);
  await (await send("PATCH", `${url}/profile`, { name: "announced" })).arrayBuffer();
  await until(() => stream.text().includes("announced") || undefined);
  stream.close();
  const changes = await fetch(`${url}/__changes`);
  assert.equal(changes.status, 200);
  assert.match(await changes.text(), /profile/);
}

async function reload(bench: Bench): Promise<void> {
  const url = await bench.url();
  const kept = await until(() => {
    const text = readFileSync(bench.file, "utf8");
    return text.includes("announced") ? text : undefined;
  });
  writeFileSync(bench.file, JSON.stringify({ ...JSON.parse(kept), edited: [{ id: 1 }] }));
  await until(async () => ((await fetch(`${url}/edited/1`)).status === 200 ? true : undefined));
}

async function sandboxes(bench: Bench): Promise<void> {
  const url = await bench.url();
  const headers = { "x-standin-sandbox": "mine" };
  await (await send("PATCH", `${url}/posts/1`, { title: "inside" }, headers)).arrayBuffer();
  assert.equal((await read(`${url}/posts/1`, headers)).title, "inside");
  assert.equal((await read(`${url}/posts/1`)).title, "one");
}

async function consolePage(bench: Bench): Promise<void> {
  const url = await bench.url();
  const page = await fetch(`${url}/__console`);
  assert.equal(page.status, 200);
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
  const loaded = await fetch(new URL(script!, page.url));
  assert.match(loaded.headers.get("content-type") ?? "", /javascript/);
  assert.ok((await loaded.text()).length > 1000);
  assert.equal((await read(`${url}/__openapi.json`)).openapi?.slice(0, 1), "3");
  assert.equal((await fetch(`${url}/__docs`)).status, 200);
}

async function snapshot(bench: Bench): Promise<void> {
  const url = await bench.url();
  const saved = await send("POST", `${url}/__snapshots__`, { name: "before" });
  assert.equal(saved.status, 201);
  await (await fetch(`${url}/posts/1`, { method: "DELETE" })).arrayBuffer();
  assert.equal((await fetch(`${url}/posts/1`)).status, 404);
  assert.ok((await fetch(`${url}/__snapshots__/before`, { method: "PUT" })).ok);
  assert.equal((await read(`${url}/posts/1`)).title, "one");
}

async function malformed(bench: Bench): Promise<void> {
  const url = await bench.url();
  const broken = await fetch(`${url}/posts`, { method: "POST", headers: JSON_BODY, body: '{"title":' });
  assert.equal(broken.status, 400);
  assert.equal(typeof ((await broken.json()) as { code?: string }).code, "string");
  assert.equal((await fetch(`${url}/%E0%A4%A`)).status, 400);
  assert.equal((await fetch(`${url}/posts`)).status, 200);
}

async function recovery(bench: Bench): Promise<void> {
  const url = await bench.url();
  const created = await send("POST", `${url}/posts`, { id: 6, title: "survives" });
  assert.equal(created.status, 201);
  await bench.end("SIGKILL");
  assert.equal((await read(`${await bench.url()}/posts/6`)).title, "survives");
}

async function stop(bench: Bench): Promise<void> {
  const url = await bench.url();
  const stream = await openStream(`${url}/__events`);
  const agent = new Agent({ keepAlive: true });
  await ask(`${url}/posts`, { agent });
  const slow = ask(`${url}/posts?_delay=300`, { agent });
  await (await send("PATCH", `${url}/posts/2`, { title: "last" })).arrayBuffer();
  assert.equal(await bench.end("SIGTERM"), 0);
  await slow;
  agent.destroy();
  stream.close();
  const { posts } = JSON.parse(readFileSync(bench.file, "utf8")) as typeof DATA;
  assert.equal(posts.find(({ id }) => id === 2)?.title, "last");
  // The history stays; neither a journal nor a lock does.
  const left = readdirSync(join(bench.folder, ".standin")).filter((name) => name.startsWith("db.json."));
  assert.deepEqual(left, ["db.json.history"]);
}

async function moduleSource(bench: Bench): Promise<void> {
  const url = await bench.serve("data.mjs");
  assert.equal(((await (await fetch(`${url}/numbers`)).json()) as unknown[]).length, 2);
  assert.equal(await bench.end("SIGINT"), 0);
}

async function https(bench: Bench): Promise<void> {
  const url = await bench.serve("db.json", "--ssl");
  assert.match(url, /^https:/);
  const sent = requestSecurely(`${url}/posts/2`, { rejectUnauthorized: false, agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  assert.equal(JSON.parse((await readAll(response)).toString()).title, "last");
  assert.equal(await bench.end("SIGTERM"), 0);
}

async function program(bench: Bench): Promise<void> {
  const child = bench.start(PROGRAM, bench.place, bench.file);
  const [code] = await once(child, "close");
  assert.equal(code, 0);
  assert.match(bench.output, /program ok/);
}

async function ownServer(bench: Bench): Promise<void> {
  installPackage(bench.place, bench.folder);
  const url = await bench.serveModule(handlerModule());
  await expectSameResponses(bench.place, url);
  const stream = await openStream(`${url}/__events`);
  await (await send("POST", `${url}/products`, { name: "announced" })).arrayBuffer();
  await until(() => stream.text().includes("announced") || undefined);
  stream.close();
  await bench.end("SIGKILL");
}

function titles(records: readonly Post[]): string[] {
  return records.map(({ title }) => title);
}

function send(method: string, url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method, headers: { ...JSON_BODY, ...headers }, body: JSON.stringify(body) });
}

async function read(url: string, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  return (await (await fetch(url, { headers })).json()) as Record<string, string>;
}

/** Asks without decoding the response. */
async function ask(
  url: string,
  options: { headers?: Record<string, string>; agent?: Agent } = {},
): Promise<{ response: IncomingMessage; body: Buffer }> {
  const sent = request(url, { ...options, family: 4 }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { response, body: await readAll(response) };
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await response.toArray());
}

/** Opens a stream of events and reads on; resolves when the server has said its first word. */
async function openStream(url: string): Promise<{ text: () => string; close: () => void }> {
  const sent = request(url, { family: 4, agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  response.on("data", (chunk) => {
    text += chunk;
  });
  response.on("error", () => {});
  await until(() => text || undefined);
  return { text: () => text, close: () => sent.destroy() };
}

async function until<Found>(look: () => Promise<Found | undefined> | Found | undefined): Promise<Found> {
  const giveUpAt = performance.now() + WAIT_MS;
  while (performance.now() < giveUpAt) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(20);
  }
  throw new Error(`waited in vain: ${look}`);
}

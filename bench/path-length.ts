/**
 * Counts the files and functions of standin that one request runs through, socket to socket, with data in memory. Run it
 * by `npx tsx bench/path-length.ts`; with `--files` it names them, with `--json` it prints what the test of it reads.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { Session } from "node:inspector/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommandLine } from "../src/commands/command-table.ts";
import { createStandin } from "../src/index.ts";
import { DOCUMENT } from "./document.ts";

interface Way {
  readonly name: string;
  readonly line: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly port: number;
  /** The most files it may take. */
  readonly limit: number;
}

export interface MeasuredWay {
  readonly name: string;
  readonly limit: number;
  readonly status: number;
  /** The functions that ran, by file. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

const WARM_UP = 20;
const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));

const products = Array.from({ length: 50 }, (_, at) => ({ id: at + 1, name: `Hat ${at}`, price: (at * 7) % 50 }));
const { port } = await createStandin({ data: { products } });
const folder = mkdtempSync(join(tmpdir(), "standin-way-"));
const source = join(folder, "api.json");
writeFileSync(source, JSON.stringify(DOCUMENT));
const document = await createStandin({ source, data: { products } });
rmSync(folder, { recursive: true });
const hosted = await freePort();
await runCommandLine(["hosted", "--port", String(hosted), "--quiet"]);
const batch = [
  { method: "POST", path: "/products", body: { name: "Hat", price: 3 } },
  { method: "PATCH", path: "/products/7", body: { price: 3 } },
];
const REVISION = "2026-07-28";
const query = {
  name: "query",
  arguments: { path: "/products?_limit=2", shared: true },
  _meta: {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

const WAYS: readonly Way[] = [
  { name: "GET one record", line: "GET /products/7", port, limit: 14 },
  { name: "sorted page", line: "GET /products?_sort=price&_page=2", port, limit: 19 },
  { name: "POST", line: "POST /products", body: { name: "Hat", price: 3 }, port, limit: 22 },
  { name: "batch of two", line: "POST /__batch", body: { requests: batch }, port, limit: 32 },
  { name: "GET by a document", line: "GET /products/7", port: document.port, limit: 21 },
  {
    name: "query of an agent",
    line: "POST /__mcp",
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: query },
    headers: { "MCP-Protocol-Version": REVISION, "Mcp-Method": "tools/call", "Mcp-Name": "query" },
    port,
    limit: 28,
  },
  { name: "GET of an example", line: "GET /products/1", port: hosted, limit: 13 },
];

const session = new Session();
session.connect();
await session.post("Profiler.enable");
const measured: MeasuredWay[] = [];
for (const way of WAYS) {
  for (let times = 0; times < WARM_UP; times++) await ask(way);
  measured.push(await measure(way));
}

if (process.argv.includes("--json")) console.log(JSON.stringify(measured));
else for (const way of measured) print(way);
process.exit();

async function measure(way: Way): Promise<MeasuredWay> {
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  const status = await ask(way);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  const files: Record<string, string[]> = {};
  for (const { url, functions } of result) {
    if (!url.startsWith("file:")) continue;
    const path = relative(SOURCES, fileURLToPath(url));
    const called = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    if (path.startsWith("..") || called.length === 0) continue;
    files[path] = called.map(({ functionName }) => functionName || "(anonymous)");
  }
  return { name: way.name, limit: way.limit, status, files };
}

function print({ name, limit, status, files }: MeasuredWay): void {
  const functions = Object.values(files).flat().length;
  console.log(`${name} (${status}): ${Object.keys(files).length} files (at most ${limit}), ${functions} functions`);
  if (!process.argv.includes("--files")) return;
  for (const [path, names] of Object.entries(files)) console.log(`  ${path}: ${names.join(", ")}`);
}

/** The status, a turn after the response has arrived, when nothing of it is left to do. */
function ask({ line, body, headers, port }: Way): Promise<number> {
  const [method, path] = line.split(" ");
  return new Promise((resolve, reject) => {
    const sending = request(
      { port, host: "127.0.0.1", method, path, headers: { "Content-Type": "application/json", ...headers } },
      (response) => response.resume().on("end", () => setImmediate(resolve, response.statusCode ?? 0)),
    );
    sending.on("error", reject);
    sending.end(body && JSON.stringify(body));
  });
}

/** A port that nobody uses: with port 0 the command would print its address between our lines. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

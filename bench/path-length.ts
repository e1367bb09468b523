/**
 * Counts the files and functions of standin that one request runs through, socket to socket, with data in memory. Run
 * it by `npx tsx bench/path-length.ts`; with `--files` it names them.
 */
import { request } from "node:http";
import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { createStandin } from "../src/index.ts";

interface Measured {
  readonly name: string;
  readonly line: string;
  readonly body?: string;
  /** The most files it may take. */
  readonly limit: number;
}

const REQUESTS: readonly Measured[] = [
  { name: "GET one record", line: "GET /products/7", limit: 15 },
  { name: "sorted list", line: "GET /products?_sort=price&_page=2", limit: 20 },
  { name: "POST", line: "POST /products", body: '{"name":"Hat","price":3}', limit: 22 },
];
const WARM_UP = 20;
const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));

const products = Array.from({ length: 50 }, (_, at) => ({ id: at + 1, name: `Hat ${at}`, price: (at * 7) % 50 }));
const standin = await createStandin({ data: { products } });
const session = new Session();
session.connect();
await session.post("Profiler.enable");

for (const measured of REQUESTS) {
  for (let times = 0; times < WARM_UP; times++) await ask(measured);
  const files = await filesOf(measured);
  const functions = [...files.values()].reduce((sum, names) => sum + names.length, 0);
  console.log(`${measured.name}: ${files.size} files (at most ${measured.limit}), ${functions} functions`);
  if (process.argv.includes("--files")) {
    for (const [path, names] of files) console.log(`  ${path}: ${names.join(", ")}`);
  }
}

session.disconnect();
await standin.close();

/** The functions that ran for one request, by file. */
async function filesOf(measured: Measured): Promise<Map<string, string[]>> {
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await ask(measured);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  const files = new Map<string, string[]>();
  for (const { url, functions } of result) {
    if (!url.startsWith("file:")) continue;
    const path = relative(SOURCES, fileURLToPath(url));
    const called = functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => functionName);
    if (!path.startsWith("..") && called.length > 0)
      files.set(
        path,
        called.map((name) => name || "(anonymous)"),
      );
  }
  return files;
}

/** Resolves a turn after the response has arrived, when nothing of it is left to do. */
function ask({ line, body }: Measured): Promise<void> {
  const [method, path] = line.split(" ");
  return new Promise((resolve, reject) => {
    const sending = request(
      { port: standin.port, host: "127.0.0.1", method, path, headers: { "Content-Type": "application/json" } },
      (response) => response.resume().on("end", () => setImmediate(resolve)),
    );
    sending.on("error", reject);
    sending.end(body);
  });
}

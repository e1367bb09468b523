import { existsSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Recorded from a running server: everything that the moving picture shows. */
export interface Scene {
  /** Printed at the start. */
  readonly banner: readonly string[];
  readonly query: string;
  /** The records that the query finds, as the server sends them. */
  readonly response: string;
  /** Printed for the two requests, without their times. */
  readonly requests: readonly string[];
  /** Rows of the console, before the edit. */
  readonly rows: readonly Product[];
  readonly edited: Product;
  /** The data file around the edit; lines begin with `-`, `+` or a space. */
  readonly difference: readonly string[];
}

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly price: number;
}

/** A server that was started without a data file, and so made the same one as everywhere. */
export interface Started {
  readonly url: string;
  readonly folder: string;
  /** Everything it has printed so far. */
  printed(): string;
}

const SHOWN_URL = "http://localhost:3000";
const SHOWN_FOLDER = "/home/you/shop";
const QUERY = "/products?name:contains=hat&_sort=price";
const NEW_PRICE = 199.5;
/** Lines of the file to show before and after the one that changes. */
const CONTEXT = { before: 3, after: 3 };
const ROWS = 6;
const REQUEST_LINE = /^\d\d:\d\d:\d\d ([A-Z]+ \S+ \d{3}) [\d.]+ ms - .*$/gm;

/** Queries the server, edits a record as the console does, and waits until the file has changed. */
export async function recordScene(server: Started): Promise<Scene> {
  const { url } = server;
  const file = join(server.folder, "db.json");
  const banner = bannerOf(server);
  const before = readFileSync(file, "utf8");
  const response = await (await fetch(url + QUERY)).text();
  const [product] = JSON.parse(response) as Product[];
  const rows = (await (await fetch(`${url}/products?_limit=${ROWS}`)).json()) as Product[];
  const edited = await edit(`${url}/products/${product!.id}`);
  await until(() => existsSync(file) && readFileSync(file, "utf8") !== before);
  const isShown = (line: string): boolean => line.startsWith("PATCH") || line === `GET ${QUERY} 200`;
  await until(() => requestsOf(server).filter(isShown).length === 2);
  return {
    banner,
    query: `curl "${SHOWN_URL.slice("http://".length)}${QUERY}"`,
    response,
    requests: requestsOf(server).filter(isShown),
    rows,
    edited,
    difference: differenceOf(before.split("\n"), readFileSync(file, "utf8").split("\n")),
  };
}

/** The console reads a record before it changes it, and changes it only if nobody else has meanwhile. */
async function edit(record: string): Promise<Product> {
  const etag = (await fetch(record)).headers.get("ETag")!;
  const headers = { "Content-Type": "application/json", "If-Match": etag };
  const changed = await fetch(record, { method: "PATCH", headers, body: JSON.stringify({ price: NEW_PRICE }) });
  return (await changed.json()) as Product;
}

/** Without notes: they are longer than the picture is wide. */
function bannerOf({ url, folder, printed }: Started): string[] {
  const text = printed().replaceAll(url, SHOWN_URL).replaceAll(`${folder}${sep}`, `${SHOWN_FOLDER}/`);
  const lines = text.trimEnd().split("\n");
  return lines.filter((line) => !line.startsWith("  Note "));
}

function requestsOf({ printed }: Started): string[] {
  return [...printed().matchAll(REQUEST_LINE)].map(([, request]) => request!);
}

function differenceOf(before: readonly string[], after: readonly string[]): string[] {
  const at = before.findIndex((line, index) => line !== after[index]);
  const context = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  return [
    ...context(before.slice(at - CONTEXT.before, at)),
    `- ${before[at]}`,
    `+ ${after[at]}`,
    ...context(after.slice(at + 1, at + 1 + CONTEXT.after)),
  ];
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(20);
}

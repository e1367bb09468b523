import { type Entry, startOf } from "../entry.ts";
import { sentAgain } from "../sent-again.ts";

/** A longer pause than this between two requests is shortened. */
const LONGEST_PAUSE_MS = 5_000;
/** A shorter one is left out. */
const SHORTEST_PAUSE_MS = 20;

/** Everything in front of the requests. */
function headOf(origin: string): string {
  return [
    'import { check, sleep } from "k6";',
    'import http from "k6/http";',
    "",
    `const HOST = __ENV.HOST || ${text(origin)};`,
    "",
    "export const options = { vus: 1, iterations: 1 };",
    "",
    "function send(method, path, status, headers, body) {",
    '  const name = method + " " + path;',
    "  const response = http.request(method, HOST + path, body, { headers });",
    '  check(response, { [name + " is " + status]: ({ status: given }) => given === status });',
    "}",
    "",
    "export default function () {",
  ].join("\n");
}

/** Requests as a script for k6: the same requests in the same order, with the pauses between them, each checked for its status. */
export function asK6(entries: readonly Entry[], origin: string): string {
  const steps = entries.map((entry, index) => step(entry, entries[index - 1]));
  return [headOf(origin), ...steps, "}", ""].join("\n");
}

function step(entry: Entry, before: Entry | undefined): string {
  const { headers, maskedHeaders, body, lack } = sentAgain(entry);
  const pauseMs = before ? Math.min(startOf(entry) - Date.parse(before.time), LONGEST_PAUSE_MS) : 0;
  const named = headers.map(([name, value]) => `${text(name)}: ${text(value)}`);
  // A secret is taken from the environment: k6 run -e X_API_KEY=...
  for (const name of maskedHeaders) named.push(`${text(name)}: __ENV.${environmentName(name)} || ""`);
  const given = [text(entry.method), text(entry.url), String(entry.status), `{ ${named.join(", ")} }`];
  const lines = [
    ...(pauseMs >= SHORTEST_PAUSE_MS ? [`sleep(${(pauseMs / 1000).toFixed(2)});`] : []),
    ...(lack === undefined ? [] : [`// ${lack}`]),
    `send(${[...given, body === undefined || body === "" ? "null" : text(body)].join(", ")});`,
  ];
  return lines.map((line) => `  ${line}`).join("\n");
}

function environmentName(header: string): string {
  return header.toUpperCase().replaceAll(/[^A-Z\d]/g, "_");
}

/** A JSON text is one of JavaScript, too. */
function text(value: string): string {
  return JSON.stringify(value);
}

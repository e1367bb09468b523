/** `npm run soak:documents`: serves every OpenAPI document of a folder in both ways, and prints how much of it works. */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../../src/base/errors.ts";
import { bindDocument } from "../../src/openapi/bind/bind-document.ts";
import type { ApiDocument } from "../../src/openapi/read/api-document.ts";
import { loadApiDocument } from "../../src/openapi/read/load-api-document.ts";
import { createSampler } from "../../src/openapi/sample/sampler.ts";
import { PostgresServer } from "../postgres/server.ts";
import { type Answer, askAt } from "../support/api.ts";
import { newDataPlace } from "./data-place.ts";
import { Judge, type SentResponse } from "./judge.ts";
import { countPairs, live } from "./living.ts";
import { requestFor } from "./request-for.ts";
import { type RunningServer, startPrism, startStandin } from "./servers.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    prism: { type: "string" },
    only: { type: "string" },
    verbose: { type: "boolean", default: false },
    living: { type: "boolean", default: false },
    postgres: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const HELP = `npm run soak:documents -- <folder or file> ...

Serves every OpenAPI document as a hosted and as a living API, and prints how much of it works.

  --living          only as living APIs
  --postgres <url>  keeps the data of living APIs in this database, each in a schema of its own that is removed
                    afterwards; "own" starts a PostgreSQL for this run
  --prism <file>    lets Prism, whose command line this is, respond beside us
  --only <text>     only documents whose path contains this
  --verbose         prints every failure, not only the first 60
`;

if (values.help || positionals.length === 0) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

/** One document's figures. */
interface Row {
  readonly name: string;
  started: string;
  startCpu: number;
  operations: number;
  judged: number;
  valid: number;
  /** Of those, the bodies that the document gives no example for. */
  made: number;
  madeValid: number;
  prismJudged: number;
  prismValid: number;
  /** Of the bodies that both servers sent and that could be judged. */
  bothOurs: number;
  bothPrism: number;
  compared: number;
  agreed: number;
  pairs: number;
  bound: number;
  trips: number;
  tripsPassed: number;
  living: string;
  livingJudged: number;
  livingValid: number;
  undeclared: number;
  /** Collections that no request could be made for that their document allows. */
  impossible: number;
  /** Lists that send a first page, those whose pages come to an end, and those that send none. */
  walks: number;
  walked: number;
  closed: number;
  serverErrors: number;
  /** 1 where a restart keeps the data. */
  kept: number;
}

const failures: string[] = [];
const rows: Row[] = [];
const ownServer = values.postgres === "own" ? await PostgresServer.create() : undefined;
const database = ownServer?.url ?? values.postgres;
for (const file of positionals.flatMap(documentsIn)) {
  if (values.only !== undefined && !file.includes(values.only)) continue;
  const row = await tryDocument(file);
  rows.push(row);
  process.stdout.write(`${line(row)}\n`);
}
summarise();
// The server's process does not keep this one alive.
const waiting = setTimeout(() => {}, 60_000);
await ownServer?.destroy();
clearTimeout(waiting);

function documentsIn(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder)
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

async function tryDocument(file: string): Promise<Row> {
  const row: Row = {
    name: basename(file).replace(/\.(json|ya?ml)$/, ""),
    started: "yes",
    startCpu: 0,
    operations: 0,
    judged: 0,
    valid: 0,
    made: 0,
    madeValid: 0,
    prismJudged: 0,
    prismValid: 0,
    bothOurs: 0,
    bothPrism: 0,
    compared: 0,
    agreed: 0,
    pairs: 0,
    bound: 0,
    trips: 0,
    tripsPassed: 0,
    living: "yes",
    livingJudged: 0,
    livingValid: 0,
    undeclared: 0,
    walks: 0,
    walked: 0,
    closed: 0,
    impossible: 0,
    serverErrors: 0,
    kept: 0,
  };
  let document: ApiDocument;
  try {
    document = await loadApiDocument(file);
  } catch (thrown) {
    row.started = `no: ${messageOf(thrown)}`;
    failures.push(`${row.name}: not loaded: ${messageOf(thrown)}`);
    return row;
  }
  row.operations = document.operations.length;
  const judge = new Judge(document);
  if (!values.living) await serveFixed(file, document, judge, row);
  await serveLiving(file, document, judge, row);
  return row;
}

async function serveFixed(file: string, document: ApiDocument, judge: Judge, row: Row): Promise<void> {
  const sampler = createSampler(document, 1);
  let ours: RunningServer;
  try {
    ours = await startStandin(["hosted", file]);
  } catch (thrown) {
    row.started = "no";
    failures.push(`${row.name}: hosted does not start: ${messageOf(thrown)}`);
    return;
  }
  const prism = values.prism ? await startPrism(values.prism, file).catch(() => undefined) : undefined;
  row.startCpu = ours.startCpu;
  try {
    for (const operation of document.operations) {
      if (!operation.responses.some(({ contents }) => contents.length > 0)) continue;
      const request = requestFor(document, operation, sampler);
      const { method, path, headers, body } = request;
      const where = `${row.name}: ${method} ${path.slice(0, 100)}`;
      const options = { headers, ...(body === undefined ? {} : { body }) };
      const answer = await askAt(ours.url, `${method} ${path}`, options).catch(() => undefined);
      if (!answer) {
        failures.push(`${where}: no response`);
        continue;
      }
      const { verdict, why, isGiven } = judge.judge(operation, sent(answer));
      const isValid = verdict === "valid";
      if (verdict === "valid" || verdict === "invalid") {
        row.judged++;
        if (isValid) row.valid++;
        else failures.push(`${where}: ${answer.status}: ${isGiven ? "(by example) " : ""}${why}`);
        if (!isGiven) row.made++;
        if (!isGiven && isValid) row.madeValid++;
      }
      const theirs = prism && (await askAt(prism.url, `${method} ${path}`, options).catch(() => undefined));
      if (!theirs) continue;
      row.compared++;
      if (theirs.status === answer.status) row.agreed++;
      const { verdict: theirVerdict } = judge.judge(operation, sent(theirs));
      if (theirVerdict !== "valid" && theirVerdict !== "invalid") continue;
      row.prismJudged++;
      if (theirVerdict === "valid") row.prismValid++;
      if (verdict !== "valid" && verdict !== "invalid") continue;
      if (isValid) row.bothOurs++;
      if (theirVerdict === "valid") row.bothPrism++;
    }
  } finally {
    await ours.stop();
    await prism?.stop();
  }
}

async function serveLiving(file: string, document: ApiDocument, judge: Judge, row: Row): Promise<void> {
  Object.assign(row, countPairs(document, bindDocument(document)));
  const life = await live(file, document, judge, newDataPlace(database));
  const { trips } = life;
  if (life.failed !== undefined) row.living = "no";
  row.livingJudged = life.judged;
  row.livingValid = life.valid;
  row.undeclared = life.undeclared;
  row.serverErrors = life.serverErrors;
  row.trips = trips.tried;
  row.tripsPassed = trips.passed;
  row.walks = trips.walks;
  row.walked = trips.walked;
  row.closed = trips.closed;
  row.impossible = trips.impossible;
  row.kept = Number(life.isKept);
  failures.push(...life.failures.map((failure) => `${row.name}: living: ${failure}`));
}

function sent({ status, headers, text }: Answer): SentResponse {
  return { status, type: headers.get("content-type") ?? "", text };
}

function line(row: Row): string {
  const share = (some: number, all: number): string => (all === 0 ? "-" : `${some}/${all}`);
  return [
    row.name.slice(0, 44).padEnd(44),
    row.started.slice(0, 5).padEnd(5),
    `${row.startCpu.toFixed(1)}s`.padStart(6),
    String(row.operations).padStart(5),
    share(row.valid, row.judged).padStart(9),
    share(row.prismValid, row.prismJudged).padStart(9),
    share(row.agreed, row.compared).padStart(9),
    share(row.bound, row.pairs).padStart(7),
    row.living.padEnd(4),
    share(row.livingValid, row.livingJudged).padStart(9),
    share(row.tripsPassed, row.trips).padStart(7),
    share(row.walked, row.walks).padStart(7),
    String(row.serverErrors).padStart(4),
    row.kept === 1 ? "kept" : "lost",
  ].join(" ");
}

function summarise(): void {
  const sum = (key: keyof Row): number => rows.reduce((total, row) => total + (row[key] as number), 0);
  const percent = (some: number, all: number): string => (all === 0 ? "-" : `${((100 * some) / all).toFixed(1)} %`);
  const started = rows.filter((row) => row.started === "yes").length;
  process.stdout.write(
    [
      "",
      "columns: document, started, CPU of the start, operations, valid bodies, Prism's, same status, pairs bound, living, its valid bodies, round trips, lists walked, 5xx, data after a restart",
      `${started} of ${rows.length} documents started; ${sum("operations")} operations`,
      `valid bodies: ${sum("valid")} of ${sum("judged")} (${percent(sum("valid"), sum("judged"))}); Prism ${sum("prismValid")} of ${sum("prismJudged")}`,
      `of those that the document gives no example for: ${sum("madeValid")} of ${sum("made")} (${percent(sum("madeValid"), sum("made"))})`,
      `of the bodies that both sent: ours ${sum("bothOurs")}, Prism's ${sum("bothPrism")} valid`,
      `same status as Prism: ${sum("agreed")} of ${sum("compared")} (${percent(sum("agreed"), sum("compared"))})`,
      `pairs bound: ${sum("bound")} of ${sum("pairs")} (${percent(sum("bound"), sum("pairs"))})`,
      `living: ${sum("livingValid")} of ${sum("livingJudged")} bodies valid, and ${sum("undeclared")} responses that the documents do not declare (404, or a success beside failures alone); round trips: ${sum("tripsPassed")} of ${sum("trips")}; no request that the document allows: ${sum("impossible")}`,
      `lists walked to their end: ${sum("walked")} of ${sum("walks")}; without a first page: ${sum("closed")}; 5xx: ${sum("serverErrors")}; data kept: ${sum("kept")} of ${rows.length}`,
      "",
      `failures (${failures.length}):`,
      ...(values.verbose ? failures : failures.slice(0, 60)).map((failure) => `  ${failure}`),
      "",
    ].join("\n"),
  );
}

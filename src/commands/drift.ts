import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { messageOf, StartError } from "../base/errors.ts";
import { writeAtomically } from "../base/files/atomic-write.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import { isJsonObject, type JsonObject, parseJson, stringifyJson, toJson } from "../base/json/json.ts";
import type { OptionTable } from "../base/option.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { type Drift, type DriftFinding, isBreaking, loadDrift } from "../features/record/feature.ts";
import { RECORDED_REASONS } from "../openapi/bind/config/own-bindings.ts";
import type { ApiDocument } from "../openapi/read/api-document.ts";
import { loadApiDocument } from "../openapi/read/load-api-document.ts";
import { ownFile } from "../store/file/own-folder.ts";
import { defineCommand } from "./define-command.ts";
import { printable, type Terminal } from "./terminal.ts";

const OPTIONS = {
  against: {
    name: "against",
    type: "string",
    placeholder: "<api.json>",
    help: "Document to compare with: recorded, or any OpenAPI document",
    only: "flag",
  },
  json: { name: "json", type: "boolean", default: false, help: "Print JSON", only: "flag" },
  junit: { name: "junit", type: "boolean", default: false, help: "Print JUnit XML, for CI", only: "flag" },
  update: {
    name: "update",
    type: "boolean",
    default: false,
    help: "Change the recorded document to what the API is now; data stays as it is",
    only: "flag",
  },
  header: {
    ...SERVE_OPTIONS.header,
    help: 'Header for the API, such as "Authorization: Bearer {env:TOKEN}"; repeatable',
  },
  insecure: { ...SERVE_OPTIONS.insecure, help: "Accept a certificate of the API that cannot be verified" },
  quiet: { ...SERVE_OPTIONS.quiet, help: "Print only breaking differences" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** `standin drift https://api.test --against shop/api.json`: tells how an API has changed since it was recorded. */
export const driftCommand = defineCommand({
  name: "drift",
  usage: "<url> --against <file>",
  summary: "compare a real API with its recording; for CI",
  help: [
    "standin drift <url> --against <api.json>        send the recorded GETs again, and compare the responses",
    "standin drift <file.har> --against <api.json>   compare the traffic of an HTTP archive",
    "",
    "Compares shapes, never values, and sends nothing but GET. Breaking: an operation or a field is gone, a type, the",
    "envelope, the status class or the media type has changed, or there is null where there never was. Not breaking: a new",
    "field, a new value of a choice, a field that is missing at times. The exit code is 1 if something breaking was",
    "found, 2 if the API could not be asked or the command is wrong, otherwise 0.",
  ],
  examples: [
    "standin drift https://api.test --against shop/api.json",
    "standin drift https://api.test --against shop/api.json --junit > drift.xml",
    "standin drift capture.har --against shop/api.json --update",
  ],
  options: OPTIONS,
  failureCode: 2,
  async run({ options, words, terminal }) {
    const [source, ...extra] = words;
    const { against } = options;
    if (source === undefined || extra.length > 0 || against === undefined) {
      throw new StartError("drift needs an API and a document: standin drift https://api.test --against shop/api.json");
    }
    const document = await loadApiDocument(against);
    const drift = await findDifferences(document, source, options);
    const shown = { source, against, drift };
    if (options.update) await updateRecording(against, drift);
    if (options.json) terminal.print(driftJson(shown));
    else if (options.junit) terminal.print(driftJunit(shown));
    else for (const line of driftLines(terminal, shown, options.quiet)) terminal.print(line);
    if (options.update && !options.json && !options.junit) terminal.print(`${against} is as the API is now.`);
    process.exitCode = exitCodeOf(drift);
  },
});

interface Asking {
  readonly header?: readonly string[] | undefined;
  readonly insecure: boolean;
}

async function findDifferences(document: ApiDocument, source: string, asking: Asking): Promise<Drift> {
  const { driftOfApi, driftOfArchive } = await loadDrift();
  if (/^https?:\/\//i.test(source) && URL.canParse(source)) {
    return driftOfApi(document, { address: source, headers: asking.header, insecure: asking.insecure });
  }
  if (!existsSync(source)) {
    throw new StartError(
      `${source} is neither an address, such as https://api.test, nor an HTTP archive that is there.`,
    );
  }
  try {
    return driftOfArchive(document, { text: readFileSync(source, "utf8"), file: source });
  } catch (thrown) {
    throw thrown instanceof StartError ? thrown : new StartError(`${source} cannot be read: ${fileProblem(thrown)}`);
  }
}

function exitCodeOf({ findings, notAsked, operations }: Drift): number {
  if (findings.some(isBreaking)) return 1;
  return operations === 0 || notAsked.some(({ isFailure }) => isFailure) ? 2 : 0;
}

interface ShownDrift {
  readonly source: string;
  readonly against: string;
  readonly drift: Drift;
}

/** For people: breaking differences first. */
function driftLines(terminal: Terminal, { source, against, drift }: ShownDrift, isQuiet: boolean): string[] {
  const breaking = drift.findings.filter(isBreaking);
  const others = drift.findings.filter((one) => !isBreaking(one));
  const silent = drift.notAsked.map(({ operation, why }) => [operation, why] as const);
  const rows = (findings: readonly DriftFinding[]) => findings.map((one) => [one.operation, textOf(one)] as const);
  const asked = `${counted(drift.exchanges.length, "request")} to ${counted(drift.operations, "operation")}`;
  return [
    ...section(terminal, "breaking", rows(breaking)),
    ...(isQuiet ? [] : section(terminal, "not breaking", rows(others))),
    ...(isQuiet ? [] : section(terminal, "not compared", silent)),
    ...(isQuiet && breaking.length === 0
      ? []
      : [
          `${printable(source)} against ${printable(against)}: ${asked}, ${breaking.length} breaking, ${others.length} not breaking`,
        ]),
  ];
}

function section(terminal: Terminal, title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([operation]) => printable(operation).length));
  return [
    terminal.style("bold", title),
    ...rows.map(([operation, text]) => `  ${printable(operation).padEnd(width)}  ${printable(text)}`),
    "",
  ];
}

/** `/data/*\/price  type changed: was number, is string` */
function textOf({ kind, pointer, message }: DriftFinding): string {
  return `${pointer === "" ? "" : `${pointer}  `}${kind}: ${message}`;
}

function driftJson({ source, against, drift }: ShownDrift): string {
  const { findings, notAsked, operations, exchanges } = drift;
  const breaking = findings.filter(isBreaking).length;
  const shown = {
    source,
    against,
    operations,
    requests: exchanges.length,
    breaking,
    notBreaking: findings.length - breaking,
    findings: findings.map((one) => ({ ...one, isBreaking: isBreaking(one) })),
    notCompared: notAsked.map(({ operation, why }) => ({ operation, why })),
  };
  return JSON.stringify(toJson(shown), null, 2);
}

/** One test for each operation with a difference, and one for those without. */
function driftJunit({ source, against, drift }: ShownDrift): string {
  const names = [...new Set([...drift.findings, ...drift.notAsked].map(({ operation }) => operation))];
  const cases = names.map((name) => {
    const findings = drift.findings.filter(({ operation }) => operation === name);
    const breaking = findings.filter(isBreaking);
    const failures = breaking.map((one) => `<failure type="${escaped(one.kind)}" message="${escaped(textOf(one))}"/>`);
    const others = findings.filter((one) => !isBreaking(one)).map(textOf);
    const notes = others.length > 0 ? [`<system-out>${escaped(others.join("\n"))}</system-out>`] : [];
    const silent = drift.notAsked.filter(({ operation }) => operation === name);
    const errors = silent.map(
      ({ why, isFailure }) => `<${isFailure ? "error" : "skipped"} message="${escaped(why)}"/>`,
    );
    return {
      failures,
      errors: silent.some(({ isFailure }) => isFailure),
      xml: [...failures, ...errors, ...notes],
      name,
    };
  });
  const count = Math.max(cases.length, drift.operations);
  const failed = cases.filter(({ failures }) => failures.length > 0).length;
  const broken = cases.filter(({ errors }) => errors).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escaped(`${source} against ${against}`)}" tests="${count}" failures="${failed}" errors="${broken}">`,
    ...cases.map(({ name, xml }) => `  <testcase classname="drift" name="${escaped(name)}">${xml.join("")}</testcase>`),
    "</testsuite>",
  ].join("\n");
}

function escaped(text: string): string {
  const plain = printable(text);
  return plain.replace(/[&<>"\n]/g, (one) => `&#${one.charCodeAt(0)};`);
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Changes a recorded document to what an API is now. Its data is read, and stays as it is. */
async function updateRecording(file: string, drift: Drift): Promise<void> {
  const document = readObject(file);
  if (document[RECORDED_REASONS] === undefined) {
    throw new StartError(`--update changes documents that standin has recorded; ${file} is none. Edit it instead.`);
  }
  const { updatedDocument } = await loadDrift();
  const dataFile = join(dirname(file), "data.json");
  const data = existsSync(dataFile) ? readObject(dataFile) : {};
  const keyFile = ownFile(resolve(file), "redaction-key");
  const key = existsSync(keyFile) ? readFileSync(keyFile, "utf8").trim() : randomBytes(32).toString("hex");
  const updated = updatedDocument({ document, data }, drift, key);
  await writeAtomically(file, [`${stringifyJson(updated, 2)}\n`]);
}

function readObject(file: string): JsonObject {
  try {
    const value = parseJson(readFileSync(file, "utf8"));
    if (isJsonObject(value)) return value;
  } catch (thrown) {
    throw new StartError(`${file} cannot be updated: ${messageOf(thrown)}`);
  }
  throw new StartError(`${file} cannot be updated: it is no JSON object.`);
}

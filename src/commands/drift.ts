import { existsSync, readFileSync } from "node:fs";
import { StartError } from "../base/errors.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import type { OptionTable } from "../base/option.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { type Drift, isBreaking, loadDrift } from "../features/record/feature.ts";
import type { ApiDocument } from "../openapi/read/api-document.ts";
import { loadApiDocument } from "../openapi/read/load-api-document.ts";
import { defineCommand } from "./define-command.ts";
import { driftJson, driftJunit, driftLines } from "./drift/print-drift.ts";
import { updateRecording } from "./drift/update-recording.ts";

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

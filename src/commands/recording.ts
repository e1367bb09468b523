import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { messageOf, StartError } from "../base/errors.ts";
import { writeAtomically } from "../base/files/atomic-write.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import { type JsonObject, parseJson, stringifyJson } from "../base/json/json.ts";
import { loadArchives, loadRecorder, loadRedactor, RECORDED } from "../features/record/feature.ts";
import type { RecordingSummary, SavedRecording } from "../features/record/types.ts";
import { writeHar } from "../http/har.ts";
import { ownFile, writeOwnFile } from "../store/file/own-folder.ts";
import { printable, type Terminal } from "./terminal.ts";
import { expectOwnFiles, makeFolder } from "./write-made-files.ts";

const KEY_KIND = "redaction-key";

interface RecordOptions {
  readonly out: string;
  readonly include: readonly string[] | undefined;
  readonly exclude: readonly string[] | undefined;
  readonly redact: readonly string[] | undefined;
  readonly har: string | undefined;
  readonly overwrite: boolean;
}

/** Opens a recorder that saves to a folder. Throws where the folder has files that no recording has made. */
export async function openRecorder(address: string, options: RecordOptions) {
  const { out, include, exclude, redact = [], har, overwrite } = options;
  const files = { document: join(out, "api.json"), data: join(out, "data.json"), har };
  if (!overwrite) {
    const made = { command: "standin record", mark: RECORDED, markedPath: "api.json" };
    expectOwnFiles(
      {
        ...made,
        files: new Map([
          ["api.json", ""],
          ["data.json", ""],
        ]),
      },
      out,
    );
    if (har !== undefined && existsSync(har)) {
      throw new StartError(`${har} exists. Name another file for --har, or add --overwrite to replace it.`);
    }
  }
  const Recorder = await loadRecorder();
  const Redactor = await loadRedactor();
  const key = readKey(files.document);
  const recorder = new Recorder({
    origin: originOf(address),
    redactor: new Redactor(key, redact),
    earlier: overwrite ? undefined : readEarlier(files),
    include,
    exclude,
  });
  const save = async (): Promise<SavedRecording> => {
    const { document, data } = recorder.recording();
    makeFolder(out);
    writeKey(files.document, key);
    await writeAtomically(files.document, [`${stringifyJson(document, 2)}\n`]);
    await writeAtomically(files.data, [`${stringifyJson(data, 2)}\n`]);
    if (har !== undefined) await writeAtomically(har, [writeHar(recorder.exchanges, recorder.origin)]);
    const written = [files.document, files.data, ...(har === undefined ? [] : [har])];
    return { files: written, serve: `standin ${files.document} --data ${files.data}` };
  };
  return { recorder, save };
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}

/** The same key makes the same pseudonyms in a second recording. */
function readKey(document: string): string {
  const file = ownFile(resolve(document), KEY_KIND);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : randomBytes(32).toString("hex");
}

function writeKey(document: string, key: string): void {
  const path = resolve(document);
  if (!existsSync(ownFile(path, KEY_KIND))) writeOwnFile(path, KEY_KIND, `${key}\n`);
}

function readEarlier({ document, data }: { document: string; data: string }) {
  if (!existsSync(document)) return undefined;
  return { document: readObject(document), data: existsSync(data) ? readObject(data) : {} };
}

function readObject(file: string): JsonObject {
  try {
    return parseJson(readFileSync(file, "utf8")) as JsonObject;
  } catch (thrown) {
    throw new StartError(`${file} cannot be updated: ${messageOf(thrown)} Mend it, or add --overwrite to replace it.`);
  }
}

interface ArchiveOptions extends RecordOptions {
  readonly from: string | undefined;
  readonly quiet: boolean;
}

/** Records the traffic of an HTTP archive: that with the named API, or with the one that sent most JSON. */
export async function recordArchive(
  options: ArchiveOptions,
  address: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const { from = "", quiet } = options;
  const { busiestOrigin, readHar } = await loadArchives();
  const found = readHar(textOf(from), from);
  const wanted = address === undefined ? busiestOrigin(found) : new URL(address).origin;
  const fitting = found.filter(({ origin }) => origin === wanted);
  if (wanted === undefined || fitting.length === 0) {
    const origins = [...new Set(found.map(({ origin }) => origin))];
    throw new StartError(
      `${from} has no requests${wanted === undefined ? "" : ` to ${wanted}`}. ${origins.length > 0 ? `It has some to ${origins.join(", ")}.` : ""}`.trim(),
    );
  }
  const { recorder, save } = await openRecorder(wanted, options);
  for (const { exchange } of fitting) recorder.see({ exchange });
  recorder.stop();
  const saved = await save();
  if (!quiet) printRecording(terminal, recorder.summary(), saved);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    throw new StartError(`${file} cannot be read: ${fileProblem(thrown)}`);
  }
}

/** Tells what a recording has, what was replaced in it, and how to serve it. */
export function printRecording({ print, style }: Terminal, summary: RecordingSummary, saved: SavedRecording): void {
  const { upstream, exchanges, operations, collections, redactions, skipped } = summary;
  const rows = collections.map(({ name, count }) => [name, `${count}`] as const);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const amounts = (list: readonly (readonly [string, number])[]): string =>
    list.map(([name, count]) => `${printable(name)} ${count}`).join(", ");
  const facts = [
    ["Redacted", amounts(redactions.map(({ name, count }) => [name, count]))],
    ["Skipped", amounts(skipped.map(({ reason, count }) => [reason, count]))],
    ["Saved to", saved.files.join(", ")],
    ["Serve it", saved.serve],
  ].filter(([, text]) => text !== "");
  print(
    [
      "",
      `  Recorded ${amount(exchanges, "request")} to ${upstream}: ${amount(operations.length, "operation")}, ${amount(collections.length, "collection")}`,
      "",
      ...rows.map(([name, count]) => `  ${printable(name).padEnd(width)}  ${count.padStart(6)}`),
      ...(rows.length > 0 ? [""] : []),
      ...facts.map(([label = "", text]) => `  ${style("dim", label.padEnd(8))}  ${text}`),
      "",
    ].join("\n"),
  );
}

function amount(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { messageOf, StartError } from "../../base/errors.ts";
import { writeAtomically } from "../../base/files/atomic-write.ts";
import { type JsonObject, parseJson, stringifyJson } from "../../base/json/json.ts";
import { loadRecorder, loadRedactor, RECORDED } from "../../features/record/feature.ts";
import type { SavedRecording } from "../../features/record/types.ts";
import { writeHar } from "../../http/har.ts";
import { ownFile, writeOwnFile } from "../../store/file/own-folder.ts";
import { expectOwnFiles, makeFolder } from "../write-made-files.ts";

const KEY_KIND = "redaction-key";

export interface RecordOptions {
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

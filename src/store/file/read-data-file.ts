import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { messageOf, StartError } from "../../base/errors.ts";
import { fileProblem } from "../../base/files/file-problem.ts";
import { retryWhileHeld } from "../../base/files/retry-while-held.ts";
import { duplicateMessage, findDuplicateKey } from "../../base/json/duplicate-keys.ts";
import { type Json, parseJson } from "../../base/json/json.ts";
import { JsonSyntaxError, NO_COMMENTS } from "../../base/json/json-syntax.ts";
import { MAX_TEXT } from "../data-too-large.ts";
import { DEFAULT_FORM, type FileForm, formOf } from "./file-form.ts";
import { type Fingerprint, reliableFingerprint } from "./fingerprint.ts";
import type { DataFormat } from "./formats/data-format.ts";
import { formatOf } from "./formats/formats.ts";

/** The hash of a file that does not exist. */
export const ABSENT = "";

/** A file's content when it was read, and its fingerprint right before: any later change gives it another one. */
export interface ObservedFile {
  readonly hash: string;
  readonly fingerprint: Fingerprint;
}

export interface DataFile {
  /** Undefined for a blank file. */
  readonly value: Json | undefined;
  readonly observed: ObservedFile;
  readonly bytes: number;
  /** That of JSON. */
  readonly form: FileForm;
}

export interface ReadOptions {
  readonly refuseBlank: boolean;
  /** The file's name in messages; the path without it. */
  readonly name?: string;
}

/** Reads and parses a data file. The path must be absolute: a relative one breaks when the working directory changes. */
export function readDataFile(path: string, { refuseBlank, name = path }: ReadOptions): DataFile {
  const { text, bytes, observed } = readText(path, name);
  if (text.trim() === "") {
    if (refuseBlank) throw new StartError(`${name} is empty.`);
    return { value: undefined, observed, bytes, form: DEFAULT_FORM };
  }
  const format = formatOf(path);
  if (format) return { value: parsedBy(format, text, name), observed, bytes, form: DEFAULT_FORM };
  try {
    const value = parseJson(text);
    // The first save would drop all but the last of them.
    const twice = findDuplicateKey(text, value);
    if (twice) throw new StartError(`${name} ${duplicateMessage(twice)}`);
    return { value, observed, bytes, form: formOf(text) };
  } catch (thrown) {
    if (!(thrown instanceof JsonSyntaxError)) throw thrown;
    const hint = thrown.reason === NO_COMMENTS ? " Rename the file to .jsonc." : "";
    throw new StartError(`${name} is not valid JSON: ${thrown.message}.${hint}`);
  }
}

function parsedBy(format: DataFormat, text: string, name: string): Json {
  try {
    return format.parse(text);
  } catch (thrown) {
    throw new StartError(`${name} cannot be read: ${messageOf(thrown)}`);
  }
}

/** The hash of a file's current content. */
export function hashFile(path: string): string {
  try {
    return hashOf(retryWhileHeld(() => readFileSync(path)));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return ABSENT;
    throw thrown;
  }
}

function hashOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function readText(path: string, name: string): { text: string; bytes: number; observed: ObservedFile } {
  try {
    const found = statSync(path);
    if (found.size > MAX_TEXT) {
      throw new StartError(
        `${name} has ${found.size} bytes; a data file may have at most ${MAX_TEXT}. ` +
          "Larger data belongs in PostgreSQL (standin import).",
      );
    }
    const content = retryWhileHeld(() => readFileSync(path));
    // The first save would replace bytes that are not UTF-8 for good.
    expectUtf8(content, name);
    const observed = { hash: hashOf(content), fingerprint: reliableFingerprint(found) };
    return { text: content.toString(), bytes: found.size, observed };
  } catch (thrown) {
    if (thrown instanceof StartError) throw thrown;
    const isMissing = (thrown as NodeJS.ErrnoException).code === "ENOENT";
    throw new StartError(isMissing ? `${name} does not exist.` : `${name} cannot be read: ${fileProblem(thrown)}`);
  }
}

function expectUtf8(content: Buffer, name: string): void {
  if (isUtf8(content)) return;
  // The byte order mark of UTF-16. With >, Windows PowerShell writes nothing else.
  const isUtf16 = content[0] === 0xff && content[1] === 0xfe;
  const hint = isUtf16
    ? ` It is UTF-16; in PowerShell: (Get-Content ${name}) | Set-Content -Encoding utf8 ${name}`
    : "";
  throw new StartError(`${name} is not UTF-8 text. Convert it, for example with iconv.${hint}`);
}

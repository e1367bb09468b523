import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { messageOf, StartError } from "../../base/errors.ts";
import { fileProblem } from "../../base/files/file-problem.ts";
import { retryWhileHeld } from "../../base/files/retry-while-held.ts";
import { countShallowKeys } from "../../base/json/duplicate-keys/count-keys.ts";
import { duplicateMessage, findDuplicateKey } from "../../base/json/duplicate-keys/find-duplicate-key.ts";
import { type Json, parseJson } from "../../base/json/json.ts";
import { JsonSyntaxError, NO_COMMENTS } from "../../base/json/json-syntax.ts";
import { atOnce, inSlices, type Work } from "../../base/slices.ts";
import { MAX_TEXT } from "../data-too-large.ts";
import { MAX_RECORD_LEVELS } from "../nesting.ts";
import { DEFAULT_FORM, type FileForm, formOf } from "./file-form.ts";
import { type Fingerprint, reliableFingerprint } from "./fingerprint.ts";
import type { DataFormat } from "./formats/data-format.ts";
import { formatOf } from "./formats/formats.ts";
import { giveBackMemory, setEngineFlag } from "./give-back-memory.ts";

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
  /** No record can be nested too deeply. */
  readonly isShallow: boolean;
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
  const { text, bytes, fingerprint } = readText(path, name);
  // Hashing the text instead of the file's bytes keeps a large file in memory only once. No closure here may use the text:
  // `observed` would keep it alive.
  const hash = new LazyHash(text);
  void hash.done.then(() => giveBackMemory(bytes));
  const observed: ObservedFile = {
    fingerprint,
    get hash() {
      return hash.value;
    },
  };
  if (text.trim() === "") {
    if (refuseBlank) throw new StartError(`${name} is empty.`);
    return { value: undefined, isShallow: true, observed, bytes, form: DEFAULT_FORM };
  }
  const format = formatOf(path);
  if (format) return { value: parsedBy(format, text, name), isShallow: false, observed, bytes, form: DEFAULT_FORM };
  try {
    const value = parseLargeJson(text);
    const keys = countShallowKeys(value, MAX_RECORD_LEVELS);
    // The first save would drop all but the last of them.
    const twice = findDuplicateKey(text, value, keys);
    if (twice) throw new StartError(`${name} ${duplicateMessage(twice)}`);
    return { value, isShallow: keys !== undefined, observed, bytes, form: formOf(text) };
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
    const content = retryWhileHeld(() => readFileSync(path));
    return createHash("sha256").update(content).digest("hex");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return ABSENT;
    throw thrown;
  }
}

function readText(path: string, name: string): { text: string; bytes: number; fingerprint: Fingerprint } {
  try {
    const found = statSync(path);
    if (found.size > MAX_TEXT) {
      throw new StartError(
        `${name} has ${found.size} bytes; a data file may have at most ${MAX_TEXT}. ` +
          "Larger data belongs in PostgreSQL (standin import).",
      );
    }
    const text = retryWhileHeld(() => readFileSync(path, "utf8"));
    // The first save would replace bytes that are not UTF-8 for good.
    if (text.includes("\uFFFD")) expectUtf8(readFileSync(path), name);
    return { text, bytes: found.size, fingerprint: reliableFingerprint(found) };
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

/** The collector seldom runs while a shorter text is parsed. */
const MIN_LENGTH = 16 * 1024 * 1024;

/**
 * Parses JSON; a large text while the garbage collector does not mark. The garbage of a start makes it mark early, and then
 * each of the scavenges during the parse takes half as long again, although everything parsed is alive.
 */
function parseLargeJson(text: string): Json {
  if (text.length < MIN_LENGTH) return parseJson(text);
  setEngineFlag("--no-incremental-marking");
  try {
    return parseJson(text);
  } finally {
    setEngineFlag("--incremental-marking");
  }
}

/** Characters hashed between two pauses. */
const STEP = 256 * 1024;
/** Characters; a shorter text is hashed at once. */
const MIN_LAZY = 4 * 1024 * 1024;

/**
 * The hash of a text's bytes. A long text is hashed in slices beside the first requests, because only the first write
 * needs the hash; reading `value` earlier computes it at once.
 */
class LazyHash {
  #work: Work<string> | undefined;
  #value: string | undefined;
  /** Settles when the text is no longer needed. */
  readonly done: Promise<void>;

  constructor(text: string) {
    this.#work = this.#hashing(text);
    if (text.length < MIN_LAZY) atOnce(this.#work);
    this.done = nextTurn().then(() => inSlices(this.#rest()));
  }

  get value(): string {
    if (this.#work) atOnce(this.#work);
    return this.#value as string;
  }

  /** Hashes the rest of the text, unless reading `value` has done so. */
  *#rest(): Work<void> {
    while (this.#work && !this.#work.next().done) yield;
  }

  *#hashing(text: string): Work<string> {
    const hash = createHash("sha256");
    for (let from = 0; from < text.length; ) {
      const end = endOfPart(text, from);
      hash.update(text.slice(from, end));
      from = end;
      yield;
    }
    this.#value = hash.digest("hex");
    this.#work = undefined;
    return this.#value;
  }
}

/** The end of the next part, never within a surrogate pair. */
function endOfPart(text: string, from: number): number {
  const end = from + STEP;
  if (end >= text.length) return text.length;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end;
}

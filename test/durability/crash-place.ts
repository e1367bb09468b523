import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { Random } from "../compat/random.ts";
import { createFolder } from "../support/cli.ts";
import { EXACT, exactly } from "../support/exact-texts.ts";
import { asFile, filesIn, matching } from "./place.ts";

/** Where a server has its data: in one file, or in a folder with a file per collection. */
export type Source = "db.json" | "data";

/** The member that no request and no editor touches: neither its value nor, in a folder, its file may ever change. */
const UNTOUCHED = "untouched";

/** The data files of a server that is killed again and again. */
export class CrashPlace {
  readonly source: Source;
  /** The folder that the server runs in. */
  readonly folder: string;
  readonly #untouched: string;

  constructor(source: Source, begin: JsonObject, random: Random) {
    this.source = source;
    const untouched = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, value: oddValue(random) }));
    const whole = { ...begin, [UNTOUCHED]: untouched };
    const files = Object.entries(whole).map(([name, content]) => [`data/${name}.json`, exactFile(content)]);
    this.folder = createFolder(source === "data" ? Object.fromEntries(files) : { "db.json": exactFile(whole) });
    this.#untouched = exactFile(untouched);
  }

  /** The file that writes to the notes change. */
  get file(): string {
    return join(this.folder, this.source === "data" ? "data/notes.json" : "db.json");
  }

  /** The folder of the data files, and of ours beside them. */
  get #dataFolder(): string {
    return join(this.folder, this.source === "data" ? "data" : ".");
  }

  /** Fails if a data file is not whole. In a folder, files come and go; a file alone must be there. */
  look(mayBeMissing = this.source === "data"): void {
    const names =
      this.source === "data" ? readdirSync(this.#dataFolder).filter((name) => name.endsWith(".json")) : ["db.json"];
    for (const name of names) {
      try {
        JSON.parse(readFileSync(join(this.#dataFolder, name), "utf8"));
      } catch (thrown) {
        if (!mayBeMissing || (thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
      }
    }
  }

  /** Whether a save has begun to write new files beside the present ones. */
  get isStaging(): boolean {
    return readdirSync(this.#dataFolder).some((name) => name.endsWith(".tmp"));
  }

  get inode(): number | undefined {
    return statSync(this.file, { throwIfNoEntry: false })?.ino;
  }

  /** Fails if a part of the data that nobody touched is not as it was at first. */
  async checkUntouched(url: string, name: string): Promise<void> {
    const served = await (await fetch(`${url}/${UNTOUCHED}`)).text();
    if (exactly(served) !== exactly(this.#untouched))
      throw new Error(`${name}: altered from ${this.#untouched}\nto ${served}`);
    if (this.source !== "data") return;
    const text = readFileSync(join(this.#dataFolder, `${UNTOUCHED}.json`), "utf8");
    if (text !== this.#untouched) throw new Error(`${name}: the untouched file is now ${text}`);
  }

  /** Copies of data that somebody else is supposed to have written. */
  get copies(): string[] {
    return matching(this.folder, /(unsaved|outside)-\d|\.aside$/);
  }

  /** Our own files that a clean stop must not leave: all but those that are kept for the user or for requests with keys. */
  get leftovers(): string[] {
    const isOwn = (name: string): boolean =>
      /(^|\/)\./.test(name) && !/(\.standin|\.gitignore|\.aside|\.receipts)$/.test(name);
    return filesIn(this.folder).filter(isOwn);
  }
}

/** Stands for a number that no double has, in a value. */
const EXACTLY = "exactly ";

/** A data file in which these numbers have their own texts. */
function exactFile(content: unknown): string {
  return asFile(content).replace(new RegExp(`"${EXACTLY}([^"]+)"`, "g"), "$1");
}

const TEXTS = [
  "",
  "é\u0301",
  "\u2028",
  "\u0000",
  "\u007f",
  "😀",
  "\ud83d",
  '"\\/',
  "__proto__",
  "null",
  "1e400",
  "\r\n\t",
];
const NUMBERS = [0, -0.5, 1e21, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, 2 ** 53, 0.1 + 0.2];
const KEYS = ["", "key", "__proto__", "constructor", "é.\u2028", '"', "1e400"];

/** A value of any shape, with what is easily lost on the way through a file. */
function oddValue(random: Random, depth = 3): JsonObject[string] {
  const kind = random.int(0, depth > 0 ? 6 : 4);
  if (kind === 0) return random.pick([null, true, false]);
  if (kind === 1) return random.pick(NUMBERS);
  if (kind === 2) return `${EXACTLY}${random.pick(EXACT)}`;
  if (kind <= 4) return random.pick(TEXTS);
  const values = Array.from({ length: random.int(0, 4) }, () => oddValue(random, depth - 1));
  return kind === 5
    ? values
    : Object.fromEntries(values.map((value, index) => [`${random.pick(KEYS)}${index}`, value]));
}

import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileProblem } from "../../base/files/file-problem.ts";
import { isJsonObject, type Json, parseJson } from "../../base/json/json.ts";
import { setAside } from "../../store/file/own-folder.ts";

const NAME = "data-files.json";
const HASH = /[\da-f]{64}/g;

interface FolderOwner {
  /** The data file, or another name of the data. */
  readonly source: string;
  readonly snapshots: string | undefined;
}

/**
 * The data files that use a folder, with their snapshots, as the folder itself notes them. Only the one that has a folder
 * to itself may clean it unasked.
 */
export class FolderOwners {
  readonly #folder: string;
  readonly #own: FolderOwner;
  readonly #warn: (text: string) => void;

  constructor(folder: string, own: FolderOwner, warn: (text: string) => void) {
    this.#folder = folder;
    this.#own = own;
    this.#warn = warn;
  }

  async note(): Promise<void> {
    const { source, snapshots } = this.#own;
    const known = await this.#read();
    const others = known.filter((owner) => owner.source !== source);
    const before = known.find((owner) => owner.source === source);
    const all = [...others, { source, snapshots: snapshots ?? before?.snapshots }];
    const entries = all.map((owner) => [
      this.#toNote(owner.source),
      owner.snapshots === undefined ? null : this.#toNote(owner.snapshots),
    ]);
    await mkdir(this.#folder, { recursive: true });
    const temporary = join(this.#folder, `${NAME}.${process.pid}`);
    await writeFile(temporary, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
    // A kill must not leave half of the list.
    await rename(temporary, join(this.#folder, NAME));
  }

  async isAlone(): Promise<boolean> {
    const isOwn = ({ source }: FolderOwner): boolean => source === this.#own.source;
    // One that was set aside may have named others.
    if ((await readdir(this.#folder)).some((name) => name.startsWith(`${NAME}.`) && name.endsWith(".aside")))
      return false;
    // Another process may have noted itself at the same time, and written over this one.
    if (!(await this.#read()).some(isOwn)) await this.note();
    return (await this.#read()).every(isOwn);
  }

  /** Every hash in the files of other owners, and in the snapshots of all: whatever looks like one counts. */
  async namedElsewhere(): Promise<Set<string>> {
    const found = new Set<string>();
    for (const { source, snapshots } of await this.#read()) {
      if (snapshots !== undefined) await addHashes(snapshots, () => true, found);
      if (source === this.#own.source) continue;
      for (const folder of [dirname(source), join(dirname(source), ".standin")]) {
        await addHashes(folder, (name) => name.includes(basename(source)), found);
      }
    }
    return found;
  }

  async #read(): Promise<FolderOwner[]> {
    const path = join(this.#folder, NAME);
    try {
      // Reading a pipe or a device would not end.
      if (!(await stat(path)).isFile()) throw new Error("it is not a file");
      return Object.entries(parseOwners(await readFile(path, "utf8"))).map(([source, snapshots]) => ({
        source: resolve(this.#folder, source),
        snapshots: snapshots === null ? undefined : resolve(this.#folder, snapshots),
      }));
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
      const aside = setAside(path);
      this.#warn(
        `${path} cannot be read: ${fileProblem(thrown)} It is kept as ${aside}. Until you remove that, files are only ` +
          "cleaned up on request: other data files may use them.",
      );
      return [];
    }
  }

  /** Below the folder, so that all of it can be moved together. */
  #toNote(path: string): string {
    return relative(this.#folder, path);
  }
}

function parseOwners(text: string): Record<string, string | null> {
  const noted = parseJson(text);
  const isOwners = (value: Json): value is Record<string, string | null> =>
    isJsonObject(value) && Object.values(value).every((place) => place === null || typeof place === "string");
  if (!isOwners(noted)) throw new Error("it is no object of data files and their snapshots");
  return noted;
}

async function addHashes(folder: string, isMeant: (name: string) => boolean, found: Set<string>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile() || !isMeant(entry.name)) continue;
    const text = await readFile(join(folder, entry.name), "latin1");
    for (const [hash] of text.matchAll(HASH)) found.add(hash);
  }
}

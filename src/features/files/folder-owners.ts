import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isJsonObject, parseJson } from "../../base/json/json.ts";

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
  #noting: Promise<void> | undefined;

  constructor(folder: string, own: FolderOwner) {
    this.#folder = folder;
    this.#own = own;
  }

  note(): Promise<void> {
    this.#noting ??= this.#note();
    return this.#noting;
  }

  async #note(): Promise<void> {
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
    // Another process may have noted itself at the same time, and written over this one.
    if (!(await this.#read()).some(isOwn)) await this.#note();
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
    const text = await readFile(join(this.#folder, NAME), "utf8").catch(() => "{}");
    const noted = parseJson(text);
    return Object.entries(isJsonObject(noted) ? noted : {}).map(([source, snapshots]) => ({
      source: resolve(this.#folder, source),
      snapshots: typeof snapshots === "string" ? resolve(this.#folder, snapshots) : undefined,
    }));
  }

  /** Below the folder, so that all of it can be moved together. */
  #toNote(path: string): string {
    return relative(this.#folder, path);
  }
}

async function addHashes(folder: string, isMeant: (name: string) => boolean, found: Set<string>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile() || !isMeant(entry.name)) continue;
    const text = await readFile(join(folder, entry.name), "latin1");
    for (const [hash] of text.matchAll(HASH)) found.add(hash);
  }
}

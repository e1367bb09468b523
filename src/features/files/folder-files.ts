import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { StandinError } from "../../base/errors.ts";
import { isSha256 } from "../../base/file-object.ts";
import { fileProblem } from "../../base/files/file-problem.ts";
import type { ByteRange, FileLimits, FileStore, KeptFile, WrittenFile } from "./file-store.ts";
import { Locks } from "./locks.ts";
import { Measure, type Room } from "./measure.ts";

/** A partial file without a byte for this long belongs to a process that has ended. */
const ABANDONED_MS = 3_600_000;
/** A link in the folder could lead anywhere. Windows has no such flag. */
const READ_PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

export interface FolderFilesOptions {
  readonly folder: string;
  /** Whether an acknowledged file survives a power loss. */
  readonly toDisk: boolean;
  readonly now: () => number;
  /** Called before the first file is written. */
  readonly begin?: () => Promise<void>;
}

/**
 * Files in a folder, each under its hash; nothing else decides their names. Content arrives in `partial/`, and moves to its
 * name when it is complete. `trash/` has the files that were set aside. The folder is made with the first file.
 */
export class FolderFiles implements FileStore {
  readonly #folder: string;
  readonly #partial: string;
  readonly #trash: string;
  readonly #toDisk: boolean;
  readonly #now: () => number;
  readonly #begin: FolderFilesOptions["begin"];
  readonly #locks = new Locks();
  #room: Promise<Room> | undefined;

  constructor({ folder, toDisk, now, begin }: FolderFilesOptions) {
    this.#folder = folder;
    this.#partial = join(folder, "partial");
    this.#trash = join(folder, "trash");
    this.#toDisk = toDisk;
    this.#now = now;
    this.#begin = begin;
  }

  async write(content: AsyncIterable<Uint8Array>, limits: FileLimits): Promise<WrittenFile> {
    try {
      return await this.#write(content, limits);
    } catch (thrown) {
      const isOfSystem = (thrown as NodeJS.ErrnoException).syscall !== undefined;
      throw isOfSystem
        ? new StandinError("STORE_UNAVAILABLE", `The file cannot be stored: ${fileProblem(thrown)}`)
        : thrown;
    }
  }

  async #write(content: AsyncIterable<Uint8Array>, limits: FileLimits): Promise<WrittenFile> {
    this.#room ??= this.#prepare().catch((thrown) => {
      this.#room = undefined;
      throw thrown;
    });
    const measure = new Measure(limits, await this.#room);
    const partial = join(this.#partial, randomBytes(12).toString("hex"));
    try {
      await this.#receive(content, partial, measure);
      const written = measure.end();
      const isNew = await this.#locks.run(written.sha256, () => this.#keep(partial, written));
      if (!isNew) measure.giveBack();
      return written;
    } catch (thrown) {
      measure.giveBack();
      await rm(partial, { force: true });
      throw thrown;
    }
  }

  async #receive(content: AsyncIterable<Uint8Array>, partial: string, measure: Measure): Promise<void> {
    const handle = await open(partial, "wx");
    try {
      for await (const piece of content) {
        measure.take(piece);
        await handle.writeFile(piece);
      }
      if (this.#toDisk) await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Gives a complete file its name; resolves to false where the content was there already. */
  async #keep(partial: string, { sha256, size }: WrittenFile): Promise<boolean> {
    const target = this.#pathOf(sha256);
    const known = await factsOf(target);
    // A file of another size was damaged from outside.
    if (known?.size === size && (await this.#touch(target))) {
      await rm(partial, { force: true });
      return false;
    }
    await rename(partial, target);
    await this.#syncFolder();
    await rm(join(this.#trash, sha256), { force: true });
    return known === undefined;
  }

  async open(sha256: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const path = this.#pathOf(sha256);
    const facts = await factsOf(path);
    if (!facts) return undefined;
    return bytesIn(path, range ?? { first: 0, last: facts.size - 1 });
  }

  async find(sha256: string): Promise<KeptFile | undefined> {
    const facts = await factsOf(this.#pathOf(sha256));
    return facts && { sha256, size: facts.size, usedAt: facts.mtimeMs };
  }

  async renew(sha256: string): Promise<void> {
    await this.#locks.run(sha256, async () => {
      if (!(await this.#touch(this.#pathOf(sha256)))) await this.#bringBack(sha256);
    });
  }

  async list(): Promise<readonly KeptFile[]> {
    const names = (await namesIn(this.#folder)).filter(isSha256);
    return (await Promise.all(names.map((name) => this.find(name)))).flatMap((file) => file ?? []);
  }

  remove(sha256: string, before: number): Promise<boolean> {
    return this.#locks.run(sha256, async () => {
      const known = await this.find(sha256);
      if (!known || known.usedAt >= before) return false;
      await mkdir(this.#trash, { recursive: true });
      const aside = join(this.#trash, sha256);
      await rename(this.#pathOf(sha256), aside);
      // Another process may have renewed it meanwhile.
      const moved = await factsOf(aside);
      if (moved && moved.mtimeMs >= before) {
        await rename(aside, this.#pathOf(sha256));
        return false;
      }
      await this.#touch(aside);
      if (this.#room) (await this.#room).bytes -= known.size;
      return true;
    });
  }

  async aside(): Promise<readonly string[]> {
    return (await namesIn(this.#trash)).filter(isSha256);
  }

  recall(sha256: string): Promise<boolean> {
    return this.#locks.run(sha256, () => this.#bringBack(sha256));
  }

  async #bringBack(sha256: string): Promise<boolean> {
    const aside = join(this.#trash, sha256);
    const known = await factsOf(aside);
    if (!known) return false;
    await this.#touch(aside);
    await rename(aside, this.#pathOf(sha256));
    if (this.#room) (await this.#room).bytes += known.size;
    return true;
  }

  async forget(before: number): Promise<number> {
    return removeOld(this.#trash, before);
  }

  async close(): Promise<void> {
    await this.#locks.idle();
  }

  async #prepare(): Promise<Room> {
    await mkdir(this.#partial, { recursive: true });
    await this.#begin?.();
    await removeOld(this.#partial, this.#now() - ABANDONED_MS);
    const files = await this.list();
    return { bytes: files.reduce((sum, { size }) => sum + size, 0) };
  }

  /** Resolves to false where there is no such file. */
  async #touch(path: string): Promise<boolean> {
    const now = this.#now() / 1000;
    return utimes(path, now, now).then(
      () => true,
      () => false,
    );
  }

  /** Lets the new name survive a power loss, on systems that can. */
  async #syncFolder(): Promise<void> {
    if (!this.#toDisk) return;
    const handle = await open(this.#folder, "r").catch(() => undefined);
    await handle?.sync().catch(() => undefined);
    await handle?.close();
  }

  #pathOf(sha256: string): string {
    if (!isSha256(sha256)) throw new Error(`no hash of a file: ${sha256}`);
    return join(this.#folder, sha256);
  }
}

async function factsOf(path: string) {
  const facts = await lstat(path).catch(() => undefined);
  return facts?.isFile() ? facts : undefined;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function removeOld(folder: string, before: number): Promise<number> {
  let count = 0;
  for (const name of await namesIn(folder)) {
    const facts = await factsOf(join(folder, name));
    if (!facts || facts.mtimeMs >= before) continue;
    await rm(join(folder, name), { force: true });
    count++;
  }
  return count;
}

/** Opens the file with the first read: a response to HEAD reads nothing. */
async function* bytesIn(path: string, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
  if (last < first) return;
  const handle = await open(path, READ_PLAIN);
  yield* handle.createReadStream({ start: first, end: last });
}

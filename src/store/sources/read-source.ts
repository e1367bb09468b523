import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, StartError } from "../../base/errors.ts";
import type { Layout } from "../file/layout.ts";
import { ownFile } from "../file/own-folder.ts";
import { layoutOf, type OpenOptions, openStore } from "../open-store.ts";
import { membersIn, readMember, readMembers } from "../postgres/load/read-members.ts";
import type { IncomingMember } from "../postgres/load/replace-database.ts";
import type { Exported } from "../store.ts";
import { sourceKind } from "./source-kind.ts";

/** Larger files are read in pieces: they may be larger than memory. */
const MAX_LOADED_BYTES = 64 * 1024 * 1024;

export interface SourceReadOptions extends Pick<OpenOptions, "idKey" | "idKeys" | "warn" | "postgres"> {
  /** Called with the share that was read, from 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** The size of a file from which on it is read in pieces. */
  readonly maxLoadedBytes?: number;
}

/** Reads the data, from its beginning each time it is called; all of it before it is called again. */
export type ReadMembers = () => AsyncIterable<IncomingMember>;

type Visit = (read: ReadMembers) => Promise<void>;

/**
 * Lets `visit` read the members of any source, record by record, as often as it needs. Reads large files and databases in pieces. Writes
 * nothing, and sees the unsaved changes of a server that runs on the source or was killed.
 */
export async function readSource(source: string, options: SourceReadOptions, visit: Visit): Promise<void> {
  const kind = sourceKind(source);
  if (kind === "postgres") return readDatabase(source, options, visit);
  const layout = layoutOf(source, kind);
  if (layout && isLarge(layout, options)) return readFiles(layout, options, visit);
  if (kind === "file" && !existsSync(source)) throw new StartError(`${source} does not exist.`);
  const { idKey, idKeys, warn, postgres } = options;
  const store = await openStore(source, {
    idKey,
    idKeys,
    warn,
    postgres,
    memory: true,
    durability: "process",
    followsOutside: false,
  });
  try {
    const members = await store.export();
    await visit(() => membersOf(members, options.onProgress));
  } finally {
    await store.close();
  }
}

async function readDatabase(source: string, options: SourceReadOptions, visit: Visit): Promise<void> {
  const { idKey, idKeys, warn, postgres, onProgress } = options;
  const { openPostgres, POSTGRES_DEFAULTS } = await import("../postgres/open-postgres.ts");
  const settings = { ...POSTGRES_DEFAULTS, ...postgres, mustExist: true, idKey, idKeys, warn };
  const store = await openPostgres(source, settings);
  const total = store.members().reduce((sum, { count }) => sum + count, 0);
  try {
    await store.data.readAll(
      (render) => visit(() => membersIn(render())),
      (records) => onProgress?.(records / total),
    );
  } finally {
    await store.close();
  }
}

/** A journal has changes that the files lack, so that they must be loaded together. */
function isLarge(layout: Layout, { maxLoadedBytes = MAX_LOADED_BYTES }: SourceReadOptions): boolean {
  if (existsSync(ownFile(layout.anchor, "journal")) || !layout.files().every((file) => file.endsWith(".json")))
    return false;
  return bytesOf(layout.folder, layout.files()) > maxLoadedBytes;
}

function bytesOf(folder: string, files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}

async function readFiles(layout: Layout, { onProgress }: SourceReadOptions, visit: Visit): Promise<void> {
  const { folder, files, memberOf } = layout;
  const names = files();
  const total = bytesOf(folder, names);
  await visit(async function* () {
    let done = 0;
    for (const name of names) {
      const path = join(folder, name);
      const update = (bytes: number): void => onProgress?.((done + bytes) / total);
      const member = memberOf?.(name);
      const members = member === undefined ? readMembers(path, update) : readMember(path, member, update);
      yield* namingMistakes(path, members);
      done += statSync(path).size;
    }
  });
}

/** Names the file in front of a mistake in it, whether it shows between the members or in the records of one. */
async function* namingMistakes(file: string, members: AsyncIterable<IncomingMember>): AsyncGenerator<IncomingMember> {
  for await (const member of explained(file, members)) {
    yield member.kind === "collection" ? { ...member, values: explained(file, member.values) } : member;
  }
}

async function* explained<T>(file: string, values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* values;
  } catch (thrown) {
    throw new StartError(`${file}: ${messageOf(thrown)}`);
  }
}

async function* membersOf(
  members: readonly Exported[],
  onProgress: SourceReadOptions["onProgress"],
): AsyncGenerator<IncomingMember> {
  for (const [position, member] of members.entries()) {
    if (member.kind === "collection") {
      const values = member.records.map(({ value }) => value);
      yield { kind: "collection", name: member.name, values };
    } else if (member.kind === "singleton") {
      yield { kind: "singleton", name: member.name, value: member.record.value };
    }
    onProgress?.((position + 1) / members.length);
  }
}

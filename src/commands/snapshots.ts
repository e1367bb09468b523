import { join } from "node:path";
import type { SnapshotsOptions } from "../config/options.ts";
import { postgresSettings } from "../config/postgres-settings.ts";
import { resolveSnapshotsOptions } from "../config/resolve.ts";
import { StandinError, StartError } from "../errors.ts";
import { Snapshots } from "../features/snapshots/folder-snapshots.ts";
import { liveHolder } from "../store/file/lock.ts";
import { layoutOf, openStore } from "../store/open.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import type { Store } from "../store/store.ts";
import { snapshotsHelp } from "./help.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

/** `standin snapshots list | save [name] | restore <id>`: works on the files of a server that is not running. */
export async function snapshots(argv: readonly string[]): Promise<void> {
  try {
    await run(argv);
  } catch (thrown) {
    // A refusal is an answer here, too, not a fault.
    throw thrown instanceof StandinError ? new StartError(thrown.message) : thrown;
  }
}

async function run(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const { options, words } = resolveSnapshotsOptions(argv, process.cwd());
  if (options.help) return terminal.print(snapshotsHelp());
  if (sourceKind(options.source) === "postgres") return inDatabase(terminal, options, words);
  if (options.snapshots === undefined) {
    throw new StartError(
      'No snapshot folder is given. Add --snapshots <folder>, or set "snapshots" in the config file.',
    );
  }
  const folder = new Snapshots(options.snapshots);
  const warn = (text: string): void => terminal.error(`  warning ${text}`);
  const [act, name, ...extra] = words;
  if (extra.length > 0 || (act === "list" && name !== undefined)) throw wrongWords(words);
  if (act === "list") {
    const found = folder.list();
    for (const { id, created_at, bytes } of found) terminal.print(`${id}  ${created_at}  ${bytes} bytes`);
    if (found.length === 0) terminal.print(`No snapshots in ${folder.folder}`);
  } else if (act === "save") {
    const saved = await withStore(options.source, warn, "POST /__snapshots__", (store) => folder.save(store, name));
    terminal.print(`Saved ${join(folder.folder, saved.file)}`);
  } else if (act === "restore" && name !== undefined) {
    const restored = await withStore(options.source, warn, "PUT /__snapshots__/<id>", (store) =>
      folder.restore(store, name),
    );
    terminal.print(`Restored ${restored.id} into ${options.source}`);
  } else throw wrongWords(words);
}

/** A database keeps its snapshots itself, whether servers are running or not. */
async function inDatabase(terminal: Terminal, options: SnapshotsOptions, words: readonly string[]): Promise<void> {
  const { openPostgres } = await import("../store/postgres/open-postgres.ts");
  const { DatabaseSnapshots } = await import("../features/snapshots/database-snapshots.ts");
  const warn = (text: string): void => terminal.error(`  warning ${text}`);
  const settings = { ...postgresSettings(options), idKey: options.id, mustExist: true, warn };
  const store = await openPostgres(options.source, settings);
  try {
    const snapshots = new DatabaseSnapshots(store.shared.snapshots, store.place);
    const [act, name, ...extra] = words;
    if (extra.length > 0 || (act === "list" && name !== undefined)) throw wrongWords(words);
    if (act === "list") {
      const found = await snapshots.list();
      for (const { id, created_at, bytes } of found) terminal.print(`${id}  ${created_at}  ${bytes} bytes`);
      if (found.length === 0) terminal.print(`No snapshots in ${snapshots.place}`);
    } else if (act === "save") terminal.print(`Saved ${(await snapshots.save(store, name)).id}`);
    else if (act === "restore" && name !== undefined) {
      terminal.print(`Restored ${(await snapshots.restore(store, name)).id} into ${store.place}`);
    } else throw wrongWords(words);
  } finally {
    await store.close();
  }
}

/** The data file must be ours while we work on it; a running server's changes may not be in it yet. */
async function withStore<T>(
  source: string,
  warn: (text: string) => void,
  instead: string,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const layout = layoutOf(source);
  if (!layout) throw new StartError(`${source} is not a data file or a folder of them.`);
  const holder = liveHolder(layout.anchor);
  if (holder) {
    throw new StartError(`${source} is in use by a running standin (pid ${holder.pid}). Ask that one: ${instead}.`);
  }
  const store = await openStore(source, {
    idKey: "id",
    durability: "disk",
    followsOutside: false,
    memory: false,
    warn,
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function wrongWords(words: readonly string[]): StartError {
  const given = words.length === 0 ? "nothing" : `"${words.join(" ")}"`;
  return new StartError(`snapshots wants list, save [name] or restore <id>, but was given ${given}.`);
}

import { join } from "node:path";
import { StandinError, StartError } from "../base/errors.ts";
import type { OptionTable, Values } from "../base/option.ts";
import { readIdKeys } from "../config/collections.ts";
import { DATA_OPTIONS } from "../config/command-options.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { postgresSettings } from "../config/postgres.ts";
import { loadDatabaseSnapshots, loadFolderSnapshots } from "../features/snapshots/feature.ts";
import type { Snapshot, SnapshotKeeper } from "../features/snapshots/types.ts";
import { liveHolder } from "../store/file/lock.ts";
import { layoutOf, openStore } from "../store/open-store.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import type { Store } from "../store/store.ts";
import { defineCommand } from "./define-command.ts";
import type { Terminal } from "./terminal.ts";

const { foreignKeySuffix, config, ...KEY_OPTIONS } = DATA_OPTIONS;
const OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "Data file or folder" },
  config,
  snapshots: { ...SERVE_OPTIONS.snapshots, help: "Folder that holds the snapshots (default: from the config file)" },
  ...KEY_OPTIONS,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

type SnapshotsOptions = Values<typeof OPTIONS>;

/** The snapshots to work on, and the data they belong to. */
interface Target {
  readonly keeper: SnapshotKeeper;
  /** The name of the data in messages. */
  readonly source: string;
  /** A saved snapshot in messages: its file or its id. */
  nameOf(saved: Snapshot): string;
  /** Opens the data for the work. `instead` is the request to use while a server has it open. */
  withStore<T>(instead: string, work: (store: Store) => Promise<T>): Promise<T>;
}

/** `standin snapshots list | save [name] | restore <id>`: works on the files of a server that is not running. */
export const snapshotsCommand = defineCommand({
  name: "snapshots",
  usage: "list|save|restore",
  summary: "manage snapshots while no server is running",
  help: [
    "standin snapshots list              list the snapshots, newest first",
    "standin snapshots save [name]       save the data file as a snapshot",
    "standin snapshots restore <id>      replace the data with a snapshot, by its id or name",
    "",
    "While a server is running, use its API instead: POST /__snapshots__, PUT /__snapshots__/<id>.",
  ],
  options: OPTIONS,
  reference: { heading: "snapshots list | save [name] | restore <id>" },
  async run({ options, words, terminal }) {
    const warn = (text: string): void => terminal.error(`  warning ${text}`);
    try {
      if (sourceKind(options.source) === "postgres") {
        await withDatabase(options, warn, (target) => runSubcommand(words, target, terminal));
      } else await runSubcommand(words, await inFolder(options, warn), terminal);
    } catch (thrown) {
      // An unknown snapshot or a bad name: report it without a stack.
      throw thrown instanceof StandinError ? new StartError(thrown.message) : thrown;
    }
  },
});

async function runSubcommand(words: readonly string[], target: Target, terminal: Terminal): Promise<void> {
  const { keeper, source } = target;
  const [act, name, ...extra] = words;
  if (extra.length > 0) throw wrongWords(words);
  if (act === "list" && name === undefined) {
    const found = await keeper.list();
    for (const { id, created_at, bytes } of found) terminal.print(`${id}  ${created_at}  ${bytes} bytes`);
    if (found.length === 0) terminal.print(`No snapshots in ${keeper.place}`);
  } else if (act === "save") {
    const saved = await target.withStore("POST /__snapshots__", (store) => keeper.save(store, name));
    terminal.print(`Saved ${target.nameOf(saved)}`);
  } else if (act === "restore" && name !== undefined) {
    const { id } = await target.withStore("PUT /__snapshots__/<id>", (store) => keeper.restore(store, name));
    terminal.print(`Restored ${id} into ${source}`);
  } else throw wrongWords(words);
}

function wrongWords(words: readonly string[]): StartError {
  const given = words.length === 0 ? "nothing" : `"${words.join(" ")}"`;
  return new StartError(`snapshots needs list, save [name] or restore <id>, but was given ${given}.`);
}

/** Snapshots as files next to the data. */
async function inFolder(options: SnapshotsOptions, warn: (text: string) => void): Promise<Target> {
  const { source, snapshots } = options;
  if (snapshots === undefined) {
    throw new StartError('No snapshot folder given. Add --snapshots <folder>, or set "snapshots" in the config file.');
  }
  const { Snapshots } = await loadFolderSnapshots();
  const keeper = new Snapshots(snapshots);
  const keys = readIdKeys(options);
  return {
    keeper,
    source,
    nameOf: ({ file }) => join(keeper.folder, file),
    async withStore(instead, work) {
      expectFree(source, instead);
      const store = await openStore(source, {
        ...keys,
        durability: "disk",
        followsOutside: false,
        memory: false,
        warn,
      });
      return work(store).finally(() => store.close());
    },
  };
}

/** Throws a `StartError` while a server uses the data: it may have changes that are not in the file yet. */
function expectFree(source: string, instead: string): void {
  const layout = layoutOf(source);
  if (!layout) throw new StartError(`${source} is not a data file or a folder of them.`);
  const holder = liveHolder(layout.anchor);
  if (!holder) return;
  throw new StartError(`${source} is in use by a running standin (pid ${holder.pid}). Use its API: ${instead}.`);
}

/** Snapshots in the database itself, whether servers are running or not. */
async function withDatabase(
  options: SnapshotsOptions,
  warn: (text: string) => void,
  work: (target: Target) => Promise<void>,
): Promise<void> {
  const { openPostgres } = await import("../store/postgres/open-postgres.ts");
  const { DatabaseSnapshots } = await loadDatabaseSnapshots();
  const settings = { ...postgresSettings(options), ...readIdKeys(options), mustExist: true, warn };
  const store = await openPostgres(options.source, settings);
  try {
    await work({
      keeper: new DatabaseSnapshots(store.snapshots, store.place),
      source: store.place,
      nameOf: ({ id }) => id,
      withStore: (_instead, inStore) => inStore(store),
    });
  } finally {
    await store.close();
  }
}

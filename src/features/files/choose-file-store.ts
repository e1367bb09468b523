import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { StartError } from "../../base/errors.ts";
import { fileProblem } from "../../base/files/file-problem.ts";
import type { OpenFeature } from "../../http/contract.ts";
import { layoutOf } from "../../store/open-store.ts";
import type { FeatureContext } from "../feature.ts";
import type { FileStore } from "./file-store.ts";
import { FolderFiles } from "./folder-files.ts";
import { FolderOwners } from "./folder-owners.ts";
import type { ReadForm } from "./form.ts";
import { MemoryFiles } from "./memory-files.ts";
import { signedFiles } from "./signed-files.ts";
import { Sweep, type Swept } from "./sweep.ts";
import type { Uploads } from "./uploads.ts";
import { usedFiles } from "./used-files.ts";

export interface FileOptions {
  readonly files: string | undefined;
  readonly maxFileBytes: number;
  /** Of the feature that has them. */
  readonly snapshots?: string | undefined;
}

export interface ChosenFileStore {
  readonly store: FileStore;
  /** Whether there may be files from earlier runs. */
  readonly hasFiles: boolean;
  readonly readForm: ReadForm;
  /** The parts of the feature that complete the addresses of files; a page calls its own server, and needs none. */
  readonly completing?: (uploads: Uploads) => Partial<OpenFeature>;
  /** Looks for unused files now. */
  clean(): Promise<Swept>;
  close(): Promise<void>;
}

/** Opens the place of the files. One that this data has to itself is swept now and then. */
export async function chooseFileStore(context: FeatureContext<FileOptions>): Promise<ChosenFileStore> {
  const { service, isShared } = context;
  const now = Date.now;
  const warn = (thrown: unknown): void => service.reporter.fault("Unused files could not be looked for.", thrown);
  const folder = folderOf(context);
  if (folder === undefined) {
    const store: FileStore = new MemoryFiles(now, () => sweep.start(warn));
    const sweep = new Sweep({ store, used: () => usedFiles(service), now, isAllowed: async () => true });
    return { ...chosen(store, sweep, false), completing: (uploads) => signedFiles(uploads, service, undefined) };
  }
  const owners = new FolderOwners(folder, ownerOf(context, folder), service.reporter.warn);
  const toDisk = service.store.durability === "disk";
  const store: FileStore = new FolderFiles({
    folder,
    toDisk,
    now,
    async begin() {
      await owners.note();
      sweep.start(warn);
    },
  });
  const used = async (): Promise<Set<string>> =>
    new Set([...(await usedFiles(service)), ...(await owners.namedElsewhere())]);
  const sweep = new Sweep({ store, used, now, isAllowed: async () => !isShared && (await owners.isAlone()) });
  const hasFiles = isFolder(folder);
  if (hasFiles) {
    try {
      await owners.note();
      await sweep.recover();
      sweep.start(warn);
    } catch (thrown) {
      service.reporter.warn(`${folder} cannot be used for uploads: ${fileProblem(thrown)}`);
    }
  }
  return {
    ...chosen(store, sweep, hasFiles),
    completing: (uploads) => signedFiles(uploads, service, secretPlaceOf(context, folder)),
  };
}

function isFolder(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts || facts.isDirectory()) return facts !== undefined;
  throw new StartError(
    `${path} is not a folder, but uploaded files are stored there. Move it away, or name another folder with --files.`,
  );
}

function chosen(store: FileStore, sweep: Sweep, hasFiles: boolean): Omit<ChosenFileStore, "completing"> {
  return {
    store,
    hasFiles,
    readForm: async (...given) => (await import("./read-upload-form.ts")).readUploadForm(...given),
    clean: () => sweep.run(),
    async close() {
      sweep.stop();
      await store.close();
    },
  };
}

/** The folder for files; undefined where they stay in memory. */
function folderOf({ options, source, service: { store } }: FeatureContext<FileOptions>): string | undefined {
  if (options.files !== undefined) return resolve(options.files);
  const isSaved = store.durability !== undefined && source !== undefined && source !== "";
  return isSaved ? resolve(`${source.replace(/[/\\]+$/, "")}.files`) : undefined;
}

/** The file beside whose `.standin/` the secret of signatures is kept. Servers that share a database share the folder for files, and sign alike. */
function secretPlaceOf({ source, isShared }: FeatureContext<FileOptions>, folder: string): string | undefined {
  if (isShared) return join(folder, "files");
  return source !== undefined && layoutOf(source) ? source : undefined;
}

/** A database has a name without its password; all of its servers have the same. */
function ownerOf({ source, isShared, options }: FeatureContext<FileOptions>, folder: string) {
  const name = isShared ? resolve(folder, "postgres") : resolve(source ?? "memory");
  const { snapshots } = options;
  return {
    source: name,
    snapshots: snapshots === undefined || snapshots.startsWith(":") ? undefined : resolve(snapshots),
  };
}

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { messageOf, StartError } from "../base/errors.ts";
import type { Reporter } from "../base/reporter.ts";
import { Hosted } from "./hosted.ts";
import { type LoadOptions, loadExamples, NoExamples } from "./load.ts";
import type { Mock } from "./mocks.ts";
import { type Keys, readyKeys } from "./private.ts";
import { Routes } from "./routes.ts";

const DOCUMENT = /\.(json|ya?ml)$/i;
const ENVIRONMENT = /\.postman_environment\.json$/i;
const KEYS = /\.keys$/i;
/** Written by exports between the name and the extension. */
const KIND = /\.(postman_collection|openapi|swagger|examples)$/i;

/** Its environment is for collections that have none of their own in the folder. */
export interface FolderOptions extends LoadOptions {
  readonly hasCors: boolean;
  /** Keys that open every mock; undefined where only key files make mocks private. */
  readonly keys: readonly string[] | undefined;
}

/** The content of a folder at one time. */
export interface FolderContent {
  readonly mocks: readonly Mock[];
  /** Files that are no mocks, and why. */
  readonly skipped: readonly string[];
}

/** A document of the folder, with the files beside it that bear its name. */
interface MockFiles {
  readonly name: string;
  readonly file: string;
  readonly keyFile: string | undefined;
  readonly environment: string | undefined;
}

/** The outcome of reading a document. */
interface Outcome {
  readonly mock?: Mock;
  /** Why it is no mock. */
  readonly why?: string;
}

interface Read extends Outcome {
  /** The texts it was read from. */
  readonly state: string;
}

interface Reading {
  readonly previous: Read | undefined;
  readonly report: Report | undefined;
}

type Report = Pick<Reporter, "note" | "done" | "warn">;

/**
 * A folder of mocks: each file of examples is served under its name. `shop.keys` beside `shop.yaml` holds the API keys that
 * make it private, `shop.postman_environment.json` the values of its variables.
 */
export class MockFolder {
  readonly folder: string;
  readonly #options: FolderOptions;
  #reads: ReadonlyMap<string, Read> = new Map();
  #parts = "";

  constructor(folder: string, options: FolderOptions) {
    this.folder = folder;
    this.#options = options;
  }

  /** Every file that matters. */
  files(): string[] {
    return [...this.#names().map((name) => join(this.folder, name)), ...this.otherFiles];
  }

  /** The paths of files that its documents refer to. */
  get otherFiles(): string[] {
    return [...this.#reads.values()].flatMap(({ mock }) => mock?.otherFiles ?? []);
  }

  /**
   * Reads what has changed since the last time, and reports it. A document that is broken now keeps its examples. Rejects
   * when two of them have the same name.
   */
  async read(report?: Report): Promise<FolderContent> {
    const names = this.#names();
    const documents = groupFiles(names);
    // Documents may refer to parts in other files of the folder: a change of those counts for all.
    const parts = this.#textOf([...this.#reads].flatMap(([file, { mock }]) => (mock ? [] : [file])));
    const isStale = parts !== this.#parts;
    const reads = new Map<string, Read>();
    for (const files of documents) {
      const fileState = this.#textOf([files.file, files.keyFile, files.environment]);
      const stateWith = (mock: Mock | undefined): string => fileState + this.#textOf(mock?.otherFiles ?? []);
      const previous = this.#reads.get(files.file);
      const isSame = previous?.state === stateWith(previous?.mock) && !isStale;
      const read = isSame ? previous : await this.#readMock(files, { previous, report });
      reads.set(files.file, isSame ? previous : { ...read, state: stateWith(read.mock) });
    }
    refuseSameNames(reads);
    for (const [file, { mock }] of this.#reads) {
      if (mock && !reads.has(file)) report?.note(`Removed /${mock.name} (${file} is gone).`);
    }
    this.#reads = reads;
    this.#parts = this.#textOf([...reads].flatMap(([file, { mock }]) => (mock ? [] : [file])));
    return {
      mocks: [...reads.values()].flatMap(({ mock }) => mock ?? []),
      skipped: [
        ...[...reads].flatMap(([file, { why }]) => (why === undefined ? [] : [`${file}: ${why}`])),
        ...unusedFiles(names, documents),
      ],
    };
  }

  async #readMock(files: MockFiles, { previous, report }: Reading): Promise<Outcome> {
    const current = previous?.mock;
    try {
      const mock = await this.#load(files, current, report);
      if (report)
        report.done(current ? `Reloaded ${files.file} (changed on disk).` : `Serving /${mock.name} (${files.file}).`);
      return { mock };
    } catch (thrown) {
      if (thrown instanceof NoExamples) return { why: thrown.why };
      const problem = messageOf(thrown);
      if (current && current.problem === undefined) {
        report?.warn(`Kept the current examples: ${problem}`);
        return { mock: current };
      }
      report?.warn(problem);
      const nothing = new Hosted(new Routes([], this.#options.hasCors));
      const { name, file } = files;
      const keys = this.#keysOfBroken(files);
      return { mock: { name, source: join(this.folder, file), hosted: nothing, keys, problem, notes: [] } };
    }
  }

  async #load(files: MockFiles, current: Mock | undefined, report: Report | undefined): Promise<Mock> {
    const { name, file, keyFile } = files;
    if (name === "" || name.startsWith("__")) {
      throw new StartError(`${file}: paths that begin with /__ are reserved for standin. Rename the file.`);
    }
    const { seed, environment, hasCors, keys: common } = this.#options;
    const path = join(this.folder, file);
    const beside = files.environment && join(this.folder, files.environment);
    const loaded = await loadExamples(path, {
      seed,
      environment: beside ?? environment,
      isShared: true,
      validation: this.#options.validation,
      allowOutsideRefs: this.#options.allowOutsideRefs ?? false,
    });
    if (!keyFile && current?.hasKeyFile) {
      report?.warn(`The key file of /${name} is gone. The mock keeps its keys until a restart.`);
    }
    const keys = keyFile ? readKeyFile(join(this.folder, keyFile)) : undefined;
    return {
      name,
      source: `${path} (${loaded.kind})`,
      hosted: new Hosted(new Routes(loaded.examples, hasCors), loaded.unanswered),
      keys: !keyFile && current?.hasKeyFile ? current.keys : allKeys(keys, common),
      hasKeyFile: keyFile !== undefined || current?.hasKeyFile === true,
      notes: loaded.notes,
      otherFiles: loaded.otherFiles?.map((other) => resolve(other)),
    };
  }

  /** Problems of a private mock are shown to those who have its key, unless the key file itself is broken. */
  #keysOfBroken({ keyFile }: MockFiles): Keys | undefined {
    const { keys: common } = this.#options;
    try {
      return allKeys(keyFile ? readKeyFile(join(this.folder, keyFile)) : undefined, common);
    } catch {
      return allKeys(undefined, common);
    }
  }

  #names(): string[] {
    return readdirSync(this.folder)
      .filter((name) => !name.startsWith(".") && isFile(join(this.folder, name)))
      .sort();
  }

  /** The texts of files, for comparison; a file that is gone has none. */
  #textOf(files: readonly (string | undefined)[]): string {
    const texts = files.map((file) => {
      if (file === undefined) return "";
      try {
        return `${file}\n${readFileSync(resolve(this.folder, file), "latin1")}`;
      } catch {
        return `${file}\n`;
      }
    });
    return texts.join("\u0000");
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function groupFiles(names: readonly string[]): MockFiles[] {
  const byName = (pattern: RegExp): Map<string, string> =>
    new Map(names.filter((name) => pattern.test(name)).map((name) => [nameOf(name, pattern), name]));
  const keyFiles = byName(KEYS);
  const environments = byName(ENVIRONMENT);
  return names
    .filter((name) => DOCUMENT.test(name) && !ENVIRONMENT.test(name))
    .map((file) => {
      const name = nameOf(file, DOCUMENT);
      return { name, file, keyFile: keyFiles.get(name), environment: environments.get(name) };
    });
}

/** `Shop API.postman_collection.json` -> `Shop-API` */
function nameOf(file: string, extension: RegExp): string {
  const stem = file.replace(extension, "").replace(KIND, "");
  return stem.replace(/[^\p{L}\p{N}._~-]+/gu, "-").replace(/^-+|-+$/g, "");
}

function refuseSameNames(reads: ReadonlyMap<string, Read>): void {
  const files = new Map<string, string>();
  for (const [file, { mock }] of reads) {
    if (!mock) continue;
    const other = files.get(mock.name);
    if (other !== undefined) {
      throw new StartError(`${other} and ${file} would both be served at /${mock.name}. Rename one of them.`);
    }
    files.set(mock.name, file);
  }
}

function unusedFiles(names: readonly string[], documents: readonly MockFiles[]): string[] {
  const used = new Set(documents.flatMap(({ file, keyFile, environment }) => [file, keyFile, environment]));
  return names.filter((name) => !used.has(name)).map((name) => `${name}: ${whyUnused(name)}`);
}

function whyUnused(file: string): string {
  const stem = KEYS.test(file) ? nameOf(file, KEYS) : ENVIRONMENT.test(file) ? nameOf(file, ENVIRONMENT) : undefined;
  return stem === undefined ? "it is neither JSON nor YAML." : `there is no mock named ${stem}.`;
}

/** One key a line; empty lines and those that begin with # do not count. */
function readKeyFile(file: string): string[] {
  const lines = readFileSync(file, "utf8").split(/\r?\n/);
  const keys = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  if (keys.length > 0) return keys;
  throw new StartError(`${file} contains no key. Write one key per line, or remove the file to make the mock public.`);
}

function allKeys(own: readonly string[] | undefined, common: readonly string[] | undefined): Keys | undefined {
  return own || common ? readyKeys([...(own ?? []), ...(common ?? [])]) : undefined;
}

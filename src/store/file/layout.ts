import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { StartError } from "../../base/errors.ts";
import { realPath } from "../../base/files/atomic-write.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { databaseProblem } from "../memory/state.ts";
import { contentOf, type Exported } from "../store.ts";
import { DEFAULT_FORM, type FileForm, inForm } from "./file-form.ts";
import { formatOf } from "./formats/formats.ts";
import { MemberFiles, memberOfFile, namesProblem } from "./member-files.ts";
import { type ObservedFile, readDataFile } from "./read-data-file.ts";
import { renderDatabase, renderMemberFile } from "./render-database.ts";

export interface Loaded {
  readonly database: JsonObject;
  /** The files that were read, by name. */
  readonly observed: ReadonlyMap<string, ObservedFile>;
  readonly bytes: number;
}

/** The arrangement of a database on the disk: one file, or a folder with a file per member. */
export interface Layout {
  /** The folder that has the files. */
  readonly folder: string;
  /** The file or folder itself. */
  readonly place: string;
  /** The path that our own files (journal, lock) are named after. */
  readonly anchor: string;
  /** Reads all files; a `StartError` names the file and position of a mistake. A blank file is an empty one, as in 0.17. */
  load(options?: { refuseBlank?: boolean }): Loaded;
  /** The data files that exist now. */
  files(): string[];
  /** The files that standin never removes: if one is missing, it was lost. */
  readonly lasting: readonly string[];
  /** The file that holds a member. */
  fileOf(member: string): string;
  /** The reason why files of these names cannot be beside each other; undefined when they can. */
  readonly namesProblem?: (files: Iterable<string>) => string | undefined;
  /** The member that a file holds, if it holds only one. */
  readonly memberOf?: (file: string) => string;
  /** A name for another version of a file (of the whole database without `file`) that is not mistaken for data. */
  versionName(version: string, file?: string): string;
  /** The form that a file had when it was last read. */
  formOf(file: string): FileForm;
  /** The new text of each file for these members. */
  render(members: readonly Exported[]): Map<string, Iterable<string>>;
}

/** All members in one file, such as `db.json`. */
export function singleFile(source: string): Layout {
  const path = realPath(source);
  const name = basename(path);
  let form = DEFAULT_FORM;
  let known: { readonly table: string | undefined } | undefined;
  /** Hot path: found with the first write, as the formats are loaded after the layout is made. */
  const table = (): string | undefined => {
    known ??= { table: tableOf(name) };
    return known.table;
  };
  return {
    folder: dirname(path),
    place: path,
    anchor: path,
    files: () => (existsSync(path) ? [name] : []),
    lasting: [name],
    load: ({ refuseBlank = false } = {}) => {
      const { value, observed, bytes, form: found } = readDataFile(path, { refuseBlank, name: source });
      const member = table();
      const database = member === undefined ? (value ?? {}) : { [member]: value ?? [] };
      const problem = databaseProblem(database);
      if (problem) throw new StartError(`${source}${/\.ya?ml$/.test(source) ? NO_DOCUMENT : ""}: ${problem}`);
      form = found;
      return { database: database as JsonObject, observed: new Map([[name, observed]]), bytes };
    },
    // One that cannot hold a member has another name, which `namesProblem` refuses.
    fileOf: (member) => (member === (table() ?? member) ? name : `${member}.csv`),
    namesProblem: (files) =>
      [...files].some((file) => file !== name)
        ? `${name} holds one collection. Serve a folder, or a JSON file (standin convert), to have more.`
        : undefined,
    // `db.outside-1763180000000.json`: a data file like any other.
    versionName: (version) => `${basename(name, extname(name))}.${version}${extname(name) || ".json"}`,
    formOf: () => form,
    render: (members) => new Map([[name, rendered(name, members, form)]]),
  };
}

/** One file per member: `data/products.json` holds the collection `products`, and so on. */
export function folderOfFiles(source: string): Layout {
  const folder = realPath(source);
  const memberFiles = new MemberFiles();
  const forms = new Map<string, FileForm>();
  const formOf = (file: string): FileForm => forms.get(file) ?? DEFAULT_FORM;
  const fileOf = (member: string): string => memberFiles.of(member);
  const files = (): string[] => memberFiles.among(readdirSync(folder));
  return {
    folder,
    place: folder,
    anchor: join(folder, basename(folder)),
    files,
    lasting: [],
    load: ({ refuseBlank = false } = {}) => {
      const database: JsonObject = {};
      const observed = new Map<string, ObservedFile>();
      let total = 0;
      const names = files();
      if (names.length === 0 && refuseBlank) throw new StartError(`${source} contains no data files.`);
      for (const name of names) {
        if (fileOf(memberOfFile(name)) !== name) throw twoFiles(source, fileOf(memberOfFile(name)), name);
        const file = readDataFile(join(folder, name), { refuseBlank });
        Object.defineProperty(database, memberOfFile(name), {
          value: file.value ?? [],
          enumerable: true,
          writable: true,
        });
        observed.set(name, file.observed);
        forms.set(name, file.form);
        total += file.bytes;
      }
      const problem = databaseProblem(database);
      if (problem) throw new StartError(`${source}: ${problem}`);
      return { database, observed, bytes: total };
    },
    fileOf,
    namesProblem: (files) => namesProblem(folder, files),
    memberOf: memberOfFile,
    // `products.json.outside-1763180000000`: anything that ends in .json would be a collection.
    versionName: (version, file = `${basename(folder)}.json`) => `${file}.${version}`,
    formOf,
    render: (members) =>
      new Map(
        members.map((member) => {
          const file = fileOf(member.name);
          const format = formatOf(file);
          const form = formOf(file);
          return [
            file,
            format
              ? [format.render(contentOf(member))]
              : inForm((isCompact) => renderMemberFile(member, isCompact), form),
          ];
        }),
      ),
  };
}

/** Most YAML files that are given are documents. */
const NO_DOCUMENT = " is neither an OpenAPI document nor data";

/** The only collection of a file that holds no more, such as `products.csv`. */
function tableOf(name: string): string | undefined {
  return formatOf(name)?.isTable ? memberOfFile(name) : undefined;
}

function rendered(name: string, members: readonly Exported[], form: FileForm): Iterable<string> {
  const format = formatOf(name);
  if (!format) return inForm((isCompact) => renderDatabase(members, isCompact), form);
  const contents = members.map((member) => [member.name, contentOf(member)] as const);
  return [format.render(format.isTable ? (contents[0]?.[1] ?? []) : Object.fromEntries(contents))];
}

function twoFiles(source: string, one: string, other: string): StartError {
  const name = JSON.stringify(memberOfFile(one));
  return new StartError(`${source}: ${one} and ${other} both hold ${name}. Rename or merge one of them.`);
}

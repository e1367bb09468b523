import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { builtPackage, packedPackages } from "./build.ts";
import { createFolder } from "./cli.ts";

/**
 * A project with standin installed under the name json-server, as `npm i -D json-server@npm:standin-json-server` leaves it:
 * both packages are packed and unpacked; their dependencies are those of the sources, so no network is needed. Packages
 * of others that require json-server are copied, because they must find this one.
 */
export function createProject(files: Readonly<Record<string, unknown>>, others: readonly string[] = []): string {
  const project = createFolder(files);
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  const packed = packedOnce();
  for (const name of ["standin", "json-server"]) cpSync(join(packed, name), join(modules, name), { recursive: true });
  for (const name of others) cpSync(resolve("node_modules", name), join(modules, name), { recursive: true });
  for (const name of ["standin", "json-server", ...others]) linkDependencies(join(modules, name), modules);
  for (const name of ["json-server", ...others]) linkCommands(join(modules, name), modules);
  return project;
}

/** The same project with the real json-server 0.17.4. */
export function createOriginalProject(
  files: Readonly<Record<string, unknown>>,
  others: readonly string[] = [],
): string {
  const project = createFolder(files);
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  for (const name of ["json-server", ...others]) {
    link(name, modules);
    linkCommands(join(modules, name), modules);
  }
  return project;
}

interface Manifest {
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/** A package as it is published. */
export interface Packed {
  /** The archive, unpacked. */
  readonly folder: string;
  readonly archive: string;
  /** Paths in the archive, in order. */
  readonly files: readonly string[];
  /** Bytes of the archive. */
  readonly size: number;
}

export function packedPackage(name: "standin" | "json-server"): Packed {
  const place = packedOnce();
  const { files, size } = (JSON.parse(readFileSync(join(place, TOLD), "utf8")) as Told)[name]!;
  return {
    folder: join(place, name),
    archive: join(place, `${name}.tgz`),
    files: files.map(({ path }) => path).sort(),
    size,
  };
}

/** npm's facts about the archives, kept beside them. */
const TOLD = "told.json";
type Told = Readonly<Record<string, { files: { path: string }[]; size: number; filename: string }>>;

/** Both packages as they are published, packed by whichever file of the run is the first to want them. */
function packedOnce(): string {
  const place = packedPackages();
  if (existsSync(place)) return place;
  const making = mkdtempSync(`${place}-`);
  const sources = { standin: builtPackage(), "json-server": resolve("packages/json-server") };
  const flags = ["--ignore-scripts", "--json", "--pack-destination", making];
  const told = execFileSync("npm", ["pack", ...Object.values(sources), ...flags], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const archives = JSON.parse(told) as Told[string][];
  for (const [index, name] of Object.keys(sources).entries()) {
    const archive = join(making, archives[index]!.filename);
    mkdirSync(join(making, name));
    execFileSync("tar", ["xzf", archive, "-C", join(making, name), "--strip-components=1"]);
    renameSync(archive, join(making, `${name}.tgz`));
  }
  const named = Object.keys(sources).map((name, index) => [name, archives[index]]);
  writeFileSync(join(making, TOLD), JSON.stringify(Object.fromEntries(named)));
  try {
    renameSync(making, place);
  } catch {
    // Another file was faster.
    rmSync(making, { recursive: true });
  }
  return place;
}

/** Those that a package does not bring along, and those of what it does. */
function linkDependencies(folder: string, modules: string): void {
  const own = join(folder, "node_modules");
  const brought = existsSync(own) ? readdirSync(own).filter((name) => !name.startsWith(".")) : [];
  for (const name of brought) linkDependencies(join(own, name), modules);
  for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) {
    if (!brought.includes(name)) link(name, modules);
  }
}

function link(name: string, modules: string): void {
  const place = join(modules, name);
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(resolve("node_modules", name), place);
}

function linkCommands(folder: string, modules: string): void {
  const { bin = {} } = manifestOf(folder);
  const commands = typeof bin === "string" ? { "json-server": bin } : bin;
  for (const [name, file] of Object.entries(commands)) {
    chmodSync(join(folder, file), 0o755);
    symlinkSync(join(folder, file), join(modules, ".bin", name));
  }
}

import { execFile, spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The .NET SDK of this machine: its compiler, without projects and packages. */
export interface Sdk {
  readonly compiler: string;
  /** Folders with reference assemblies, oldest version first. */
  readonly references: readonly string[];
}

/** Undefined where there is no `dotnet`. */
export function findSdk(): Sdk | undefined {
  const listed = spawnSync("dotnet", ["--list-sdks"], { encoding: "utf8" });
  const [, version, folder] = /^(\S+) \[(.+)\]$/m.exec(listed.stdout?.trim().split("\n").at(-1) ?? "") ?? [];
  if (version === undefined || folder === undefined) return undefined;
  const packs = join(folder, "../packs/Microsoft.NETCore.App.Ref");
  const versions = readdirSync(packs).sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return {
    compiler: join(folder, version, "Roslyn/bincore/csc.dll"),
    references: versions.map((one) => join(packs, one, "ref", `net${one.split(".").slice(0, 2).join(".")}`)),
  };
}

/** Compiles files of a folder, warnings as errors; what the compiler says, empty on success. */
export async function compile(
  { compiler }: Sdk,
  references: string,
  folder: string,
  { files, out, isProgram }: { readonly files: readonly string[]; readonly out: string; readonly isProgram: boolean },
): Promise<string> {
  const assemblies = readdirSync(references).filter((name) => name.endsWith(".dll"));
  const flags = [
    ...["-nologo", "-nostdlib", "-langversion:12", "-warnaserror", "-warn:9999", "-nullable:enable", "-utf8output"],
    ...[`-target:${isProgram ? "exe" : "library"}`, `-out:${out}.dll`],
    ...assemblies.map((name) => `-reference:${join(references, name)}`),
  ];
  writeFileSync(join(folder, `${out}.rsp`), [...flags, ...files].map((word) => `"${word}"`).join("\n"));
  const done = run("dotnet", ["exec", compiler, `@${out}.rsp`], { cwd: folder }).catch((thrown) => thrown);
  return ((await done) as { stdout: string }).stdout;
}

/** The file `<name>.runtimeconfig.json` beside a program, for the runtime that there is. */
export const RUNTIME = JSON.stringify({
  runtimeOptions: { framework: { name: "Microsoft.NETCore.App", version: "8.0.0" }, rollForward: "Major" },
});

/** Runs a compiled program on the runtime that there is; what it prints. */
export async function runProgram(folder: string, name: string, ...args: string[]): Promise<string> {
  writeFileSync(join(folder, `${name}.runtimeconfig.json`), RUNTIME);
  const done = run("dotnet", ["exec", `${name}.dll`, ...args], { cwd: folder }).catch((thrown) => thrown);
  const { stdout, stderr } = (await done) as { stdout: string; stderr: string };
  return `${stdout}${stderr}`.replaceAll("\r\n", "\n").trimEnd();
}

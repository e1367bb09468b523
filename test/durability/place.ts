import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { createFolder, type Served } from "../support/cli.ts";

/** The data file of a folder, parsed: it must parse whenever anybody looks. */
export function dataIn(folder: string, file = "db.json"): JsonObject {
  return JSON.parse(readFileSync(join(folder, file), "utf8")) as JsonObject;
}

/** The files in a folder, our own folder included unless it is there for the history alone, which stays; sorted. */
export function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => !name.endsWith(".history"));
  const isUsed = (own: string): boolean =>
    names.some((name) => name.startsWith(`${own}/`) && !name.endsWith("/.gitignore"));
  const ownIn = (name: string): string | undefined => /^(?:.*\/)?\.standin(?=$|\/\.gitignore$)/.exec(name)?.[0];
  return names.filter((name) => isUsed(ownIn(name) ?? "") || ownIn(name) === undefined).sort();
}

/** Everything in a folder but the history, name and content: to see whether anything was touched. */
export function contentOf(folder: string): Record<string, string> {
  for (;;) {
    try {
      return contentNow(folder);
    } catch (thrown) {
      // Something got another name while it was read, by a server that is running.
      if ((thrown as NodeJS.ErrnoException).code !== "ENOENT" || !existsSync(folder)) throw thrown;
    }
  }
}

function contentNow(folder: string): Record<string, string> {
  const files = filesIn(folder).filter((name) => lstatSync(join(folder, name)).isFile());
  const pairs = files.map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The files of a folder whose names match, as paths. */
export function matching(folder: string, pattern: RegExp): string[] {
  if (!existsSync(folder)) return [];
  return filesIn(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));
}

/** A copy of everything as it is now: what a process killed at this moment would leave. */
export function imageOf(folder: string): string {
  const image = createFolder();
  cpSync(folder, image, { recursive: true });
  rmSync(join(image, ".standin", `${basename("db.json")}.lock`), { force: true });
  return image;
}

/** Waits until a look gives something other than undefined or false; there is no limit but that of the test. */
export async function eventually<T>(look: () => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>;
    await sleep(20);
  }
}

/** Waits until the data file holds this. */
export async function untilSaved(folder: string, isThere: (data: JsonObject) => boolean, file?: string): Promise<void> {
  await eventually(() => isThere(dataIn(folder, file)));
}

/** Ends a server as a crash does: no handler runs, nothing is flushed. */
export async function crash({ child, exit }: Served): Promise<void> {
  child.kill("SIGKILL");
  await exit;
}

export async function databaseAt(url: string): Promise<JsonObject> {
  return (await (await fetch(`${url}/db`)).json()) as JsonObject;
}

export function recordsOf(database: JsonObject, name: string): JsonObject[] {
  return (database[name] ?? []) as Json[] as JsonObject[];
}

/** A data file as standin writes it. */
export function asFile(database: unknown): string {
  return `${JSON.stringify(database, null, 2)}\n`;
}

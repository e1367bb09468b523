import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { JsonObject } from "../../../../src/base/json/json.ts";
import { createFolder } from "../../../support/cli.ts";
import { runKept } from "../../../support/kept-process.ts";
import { loadPages } from "../../../support/pages.ts";
import type { Given } from "./databases.ts";

const PAGE = "docs/guide/clients.md";

/** The output of `standin client`, or of another command about types, for this data. */
export async function writtenFor({ data, rules, collections }: Given, ...args: string[]): Promise<string> {
  const folder = createFolder({ "db.json": data, "standin.json": { collections: collections ?? {} } });
  if (rules) writeFileSync(join(folder, "rules.json"), JSON.stringify(rules));
  const run = runKept([...args, "db.json", ...(rules ? ["--rules", "rules.json"] : [])], folder);
  expect([await run.exit, run.output.stderr.replace(/ {2}warning .*\n/g, "")]).toEqual([0, ""]);
  return run.output.stdout;
}

/** A file that the page about clients shows. */
export function fileOfPage(name: string): string {
  const page = loadPages().find(({ path }) => path === PAGE)!;
  return page.blocks.find((block) => block.name === name)!.lines.join("\n");
}

/** The data of the page. */
export function dataOfPage(): JsonObject {
  return JSON.parse(fileOfPage("shop.json")) as JsonObject;
}

/** The comments behind the lines of a program that print. */
export function shownBehind(call: string, program: string): string[] {
  return program.split("\n").flatMap((line) => (line.includes(call) ? line.split(" // ").slice(1) : []));
}

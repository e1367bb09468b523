import { readFileSync, statSync } from "node:fs";
import { messageOf, StartError } from "../base/errors.ts";
import { lostSource } from "../store/file/replaced/lost-files.ts";
import { readMembers } from "../store/postgres/load/read-members.ts";

/** The collections of a generated file. */
const GENERATED = ["products", "companies"];
/** Larger files are not checked for being blank. */
const MAX_BLANK_BYTES = 4096;

/**
 * Throws a `StartError` unless generated data may replace the file: it is missing, empty, or has `products` and
 * `companies`. Reads it in pieces, because generated files can be larger than memory.
 */
export async function expectReplaceable(file: string): Promise<void> {
  const reason = await whyNot(file);
  if (reason === undefined) return;
  throw new StartError(
    `${file} does not look generated (${reason}), so it was not replaced. ` +
      "Name another file, or add --overwrite to replace it.",
  );
}

async function whyNot(file: string): Promise<string | undefined> {
  const lost = lostSource(file);
  if (lost !== undefined)
    return `it is missing, but a process that was killed while saving left its content in ${lost}`;
  if (isBlank(file)) return undefined;
  const names = new Set<string>();
  try {
    for await (const { name } of readMembers(file)) names.add(name);
  } catch (thrown) {
    return `it is not a data file: ${messageOf(thrown)}`;
  }
  const missing = GENERATED.filter((name) => !names.has(name));
  return names.size === 0 || missing.length === 0 ? undefined : `it has no ${missing.join(" and no ")}`;
}

function isBlank(file: string): boolean {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return bytes === 0 || (bytes <= MAX_BLANK_BYTES && readFileSync(file, "utf8").trim() === "");
}

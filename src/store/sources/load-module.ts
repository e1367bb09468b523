import { resolve } from "node:path";
import { messageOf, StartError } from "../../base/errors.ts";
import { importFile, placeInCode } from "../../base/files/import-file.ts";
import type { Json } from "../../base/json/json.ts";
import { databaseProblem } from "../memory/state.ts";

/** Loads the data that a module exports: a value, or a function (async or not) that returns it. */
export async function loadModule(source: string, isReload = false): Promise<Json> {
  const exported = await importFile(source, { isReload });
  try {
    const data: unknown = typeof exported === "function" ? await exported() : exported;
    const text = stringify(data);
    if (text === undefined) {
      throw new StartError(`it exports ${typeof data}, but must export data or a function that returns it.`);
    }
    return JSON.parse(text) as Json;
  } catch (thrown) {
    const place = thrown instanceof StartError ? "" : placeInCode(thrown, resolve(source));
    throw new StartError(`${source} gave no data: ${place}${messageOf(thrown)}`);
  }
}

/** Converts to text, so that the data is JSON and shares nothing with the module. */
function stringify(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new StartError(databaseProblem(data as Json) ?? "it is nested too deeply.");
  }
}

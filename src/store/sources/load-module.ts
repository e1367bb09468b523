import { messageOf, StartError } from "../../errors.ts";
import { importFile } from "../../import-file.ts";
import type { Json } from "../../json.ts";
import { databaseProblem } from "../memory/state.ts";

/** The data a module exports: the value itself, or what its function (async or not) returns. */
export async function loadModule(source: string): Promise<Json> {
  const exported = await importFile(source);
  try {
    const data: unknown = typeof exported === "function" ? await exported() : exported;
    const text = stringify(data);
    if (text === undefined) {
      throw new StartError(`it exports ${typeof data}, but must export data or a function that returns it.`);
    }
    return JSON.parse(text) as Json;
  } catch (thrown) {
    throw new StartError(`${source} gave no data: ${messageOf(thrown)}`);
  }
}

/** Through text, so that what is served is JSON and shares nothing with the module. */
function stringify(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new StartError(databaseProblem(data as Json) ?? "it is nested too deeply.");
  }
}

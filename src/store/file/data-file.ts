import { readFileSync } from "node:fs";
import { messageOf, StartError } from "../../errors.ts";
import { type JsonObject, JsonSyntaxError, parseJson } from "../../json.ts";
import { databaseProblem } from "../memory/state.ts";

/** What one JavaScript string can hold. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** Reads a data file and checks that it is one; a `StartError` names the file and the place of the mistake. */
export function loadDataFile(file: string): JsonObject {
  const text = readText(file);
  // 0.17.4: a blank file is an empty database.
  if (text.trim() === "") return {};
  try {
    const database = parseJson(text);
    const problem = databaseProblem(database);
    if (problem) throw new StartError(`${file}: ${problem}`);
    return database as JsonObject;
  } catch (thrown) {
    if (thrown instanceof JsonSyntaxError) throw new StartError(`${file} is not valid JSON. ${thrown.message}`);
    throw thrown;
  }
}

function readText(file: string): string {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > MAX_FILE_BYTES) {
      throw new StartError(`${file} has ${bytes.length} bytes; a data file may have at most ${MAX_FILE_BYTES}.`);
    }
    return bytes.toString("utf8");
  } catch (thrown) {
    if (thrown instanceof StartError) throw thrown;
    throw new StartError(`${file} cannot be read: ${messageOf(thrown)}`);
  }
}

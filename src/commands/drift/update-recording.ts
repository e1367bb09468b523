import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { messageOf, StartError } from "../../base/errors.ts";
import { writeAtomically } from "../../base/files/atomic-write.ts";
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from "../../base/json/json.ts";
import { type Drift, loadDrift } from "../../features/record/feature.ts";
import { RECORDED_REASONS } from "../../openapi/bind/config/own-bindings.ts";
import { ownFile } from "../../store/file/own-folder.ts";

/** Changes a recorded document to what an API is now. Its data is read, and stays as it is. */
export async function updateRecording(file: string, drift: Drift): Promise<void> {
  const document = readObject(file);
  if (document[RECORDED_REASONS] === undefined) {
    throw new StartError(`--update changes documents that standin has recorded; ${file} is none. Edit it instead.`);
  }
  const { updatedDocument } = await loadDrift();
  const dataFile = join(dirname(file), "data.json");
  const data = existsSync(dataFile) ? readObject(dataFile) : {};
  const keyFile = ownFile(resolve(file), "redaction-key");
  const key = existsSync(keyFile) ? readFileSync(keyFile, "utf8").trim() : randomBytes(32).toString("hex");
  const updated = updatedDocument({ document, data }, drift, key);
  await writeAtomically(file, [`${stringifyJson(updated, 2)}\n`]);
}

function readObject(file: string): JsonObject {
  try {
    const value = parseJson(readFileSync(file, "utf8"));
    if (isJsonObject(value)) return value;
  } catch (thrown) {
    throw new StartError(`${file} cannot be updated: ${messageOf(thrown)}`);
  }
  throw new StartError(`${file} cannot be updated: it is no JSON object.`);
}

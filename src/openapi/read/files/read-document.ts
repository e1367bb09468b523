import { StartError } from "../../../base/errors.ts";
import { isJsonObject } from "../../../base/json/json.ts";
import { isYamlDocument } from "../../../base/yaml-document.ts";
import type { Document } from "../document.ts";
import { parseText } from "./parse-text.ts";
import { fetchText, isAddress, readFile } from "./read-text.ts";

/** Reads JSON or YAML from a file or an address. A `StartError` names the file and the line. */
export async function readDocument(file: string, allowsOutside = false): Promise<Document> {
  const isRemote = isAddress(file);
  const text = isRemote ? await fetchText(file) : readFile(file);
  const isYaml = /\.ya?ml$/i.test(file) || isYamlDocument(text);
  const root = await parseText(file, text, isRemote || isYaml ? "any" : "json");
  if (!isJsonObject(root)) throw new StartError(`${file} must contain a JSON object.`);
  return { file, root, allowsOutside };
}

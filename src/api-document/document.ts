import { readFileSync, statSync } from "node:fs";
import { messageOf, StartError } from "../errors.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../json.ts";

/** Larger documents would take the memory of a start many times over. */
const MAX_MEGABYTES = { json: 32, yaml: 8 } as const;
/** No real document is this deep, and walking one stays within the stack. */
const MAX_DEPTH = 200;

/** A document of examples, read but not yet understood. `place` in messages is a JSON pointer, such as `#/info`. */
export interface Document {
  readonly file: string;
  readonly root: JsonObject;
}

/** Reads JSON or YAML. A `StartError` names the file and the line. */
export async function readDocument(file: string): Promise<Document> {
  const isYaml = /\.ya?ml$/i.test(file);
  const text = readText(file, isYaml ? "yaml" : "json");
  const root = isYaml ? await parseYaml(file, text) : parseJsonText(file, text);
  if (!isJsonObject(root)) throw new StartError(`${file} must hold an object, as every document of examples does.`);
  refuseShape(file, root);
  return { file, root };
}

/** A mistake in a document, with its place. */
export function mistake({ file }: Pick<Document, "file">, place: string, what: string): StartError {
  return new StartError(`${file}: ${place}: ${what}`);
}

/** What stands there in place of the expected, for messages. */
export function kindOf(value: Json | undefined): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `${JSON.stringify(value).slice(0, 40)}`;
}

/** One step further in a JSON pointer (RFC 6901). */
export function within(place: string, key: string | number): string {
  return `${place}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function readText(file: string, kind: keyof typeof MAX_MEGABYTES): string {
  try {
    const facts = statSync(file);
    if (!facts.isFile()) throw new Error("it is not a file.");
    const megabytes = facts.size / 2 ** 20;
    const most = MAX_MEGABYTES[kind];
    if (megabytes > most) {
      throw new Error(
        `it has ${Math.ceil(megabytes)} MB, and at most ${most} MB of ${kind.toUpperCase()} are read. Split it, or take long bodies out.`,
      );
    }
    return readFileSync(file, "utf8");
  } catch (thrown) {
    throw new StartError(`The examples in ${file} cannot be read: ${messageOf(thrown)}`);
  }
}

function parseJsonText(file: string, text: string): Json {
  try {
    return parseJson(text);
  } catch (thrown) {
    throw new StartError(`${file} is not valid JSON. ${messageOf(thrown)}. A YAML file ends in .yaml or .yml.`);
  }
}

async function parseYaml(file: string, text: string): Promise<Json> {
  // Loaded only for YAML files.
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(text, { merge: true, logLevel: "silent" });
    const [error] = document.errors;
    if (error) {
      if (/call stack/.test(error.message)) throw new RangeError(error.message);
      const [start] = error.linePos ?? [];
      const where = start ? `line ${start.line}, column ${start.col}: ` : "";
      throw new StartError(`${file} is not valid YAML. ${where}${error.message.split(" at line ", 1)[0]}.`);
    }
    return document.toJS() as Json;
  } catch (thrown) {
    if (thrown instanceof StartError) throw thrown;
    const why = thrown instanceof RangeError ? "it is nested too deeply." : messageOf(thrown);
    throw new StartError(`${file} cannot be used: ${why}`);
  }
}

/** No document may be too deep, or lead into itself (which YAML allows). Walks without recursion. */
function refuseShape(file: string, root: JsonObject): void {
  const onPath = new Set<object>();
  const seen = new WeakSet<object>();
  const open: { value: object; place: string; isLeaving: boolean }[] = [{ value: root, place: "#", isLeaving: false }];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { value, place } = entry;
    if (entry.isLeaving) {
      onPath.delete(value);
      continue;
    }
    if (onPath.has(value)) throw mistake({ file }, place, "an alias leads into itself.");
    if (seen.has(value)) continue;
    seen.add(value);
    onPath.add(value);
    if (onPath.size > MAX_DEPTH) throw mistake({ file }, shortened(place), `nested deeper than ${MAX_DEPTH} levels.`);
    open.push({ value, place, isLeaving: true });
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === "object" && inner !== null) {
        open.push({ value: inner as object, place: within(place, key), isLeaving: false });
      }
    }
  }
}

function shortened(place: string): string {
  return place.length > 100 ? `${place.slice(0, 100)}...` : place;
}

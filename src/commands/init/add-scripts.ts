import { existsSync, readFileSync } from "node:fs";
import { messageOf, StartError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";

const SCRIPTS: Readonly<Record<string, string>> = { mock: "standin", "mock:watch": "standin --watch" };

interface AddedScripts {
  /** The new text of the file; undefined if it stays as it is. */
  readonly text?: string;
  readonly notes: readonly string[];
  /** The command that starts the server. */
  readonly start: string;
}

/** The text of a package.json with our scripts. Scripts of the same names stay, unless they are to be overwritten. */
export function addScripts(file: string, overwrite: boolean): AddedScripts {
  if (!existsSync(file)) return { notes: ["There is no package.json, so no scripts were added"], start: "standin" };
  const before = readFileSync(file, "utf8");
  const content = parsed(before, file);
  const { scripts: present = {} } = content;
  if (!isJsonObject(present)) throw new StartError(`${file}: "scripts" must be an object.`);
  const taken = Object.keys(SCRIPTS).filter((name) => Object.hasOwn(present, name) && present[name] !== SCRIPTS[name]);
  const kept = overwrite ? [] : taken;
  const added = Object.entries(SCRIPTS).filter(([name, text]) => !kept.includes(name) && present[name] !== text);
  const start = kept.includes("mock") ? "npx standin" : "npm run mock";
  const notes = [
    ...kept.map((name) => `Kept the script ${name} of ${file}; --overwrite replaces it`),
    ...(added.length > 0 ? [`Added to the scripts of ${file}: ${added.map(([name]) => name).join(", ")}`] : []),
  ];
  if (added.length === 0) return { notes, start };
  const scripts = { ...present, ...Object.fromEntries(added) };
  return { text: inFormOf(before, { ...content, scripts }), notes, start };
}

function parsed(text: string, file: string): JsonObject {
  let content: Json;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch (thrown) {
    throw new StartError(`${file} is not valid JSON: ${messageOf(thrown)}. Correct it, or add --no-scripts.`);
  }
  if (!isJsonObject(content)) throw new StartError(`${file} must contain an object.`);
  return content;
}

/** Keeps the indentation and the line ends of the file, as package managers do. */
function inFormOf(before: string, content: JsonObject): string {
  const indentation = /^[ \t]+(?=")/m.exec(before)?.[0] ?? "  ";
  const text = `${JSON.stringify(content, null, indentation)}${before.endsWith("\n") ? "\n" : ""}`;
  return before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

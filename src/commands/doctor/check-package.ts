import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import type { Finding, Place } from "./finding.ts";
import { lineOfKey, type Project } from "./project.ts";

const FILE = "package.json";
/** The packages that load json-server by its name, and are known to work. */
const AROUND = ["json-server-auth", "gulp-json-server"];

/** A script of package.json that names json-server. */
export interface PackageScript {
  readonly name: string;
  readonly text: string;
  readonly place: Place;
}

export interface PackageFacts {
  readonly findings: readonly Finding[];
  /** The version range of json-server; undefined when it is not a dependency. */
  readonly version: string | undefined;
  readonly scripts: readonly PackageScript[];
  /** The dependencies that load json-server by its name. */
  readonly needsName: readonly string[];
}

/** Reads the dependencies and scripts of a package.json. */
export function readPackage(project: Project): PackageFacts {
  const text = project.read(FILE) ?? "{}";
  const content = project.readObject(FILE) ?? {};
  const findings: Finding[] = [];
  if (project.read(FILE) !== undefined && !project.readObject(FILE)) {
    findings.push({ level: "broken", file: FILE, line: undefined, message: "It is not valid JSON." });
  }
  const needsName: string[] = [];
  const groups = ["dependencies", "devDependencies", "peerDependencies"];
  const dependencies = Object.assign({}, ...groups.map((group) => objectAt(content, group))) as JsonObject;
  for (const name of Object.keys(dependencies).filter((one) => one.includes("json-server"))) {
    const place = { file: FILE, line: lineOfKey(text, name) };
    if (name === "json-server" || name.startsWith("ra-data-")) continue;
    if (name === "@types/json-server") {
      const message = "standin brings its own types.";
      findings.push({ ...place, level: "differs", message, fix: "Remove @types/json-server." });
    } else if (AROUND.includes(name) || name === "json-server-reset") {
      if (AROUND.includes(name)) needsName.push(name);
      findings.push({ ...place, level: "works", message: `${name} can stay.` });
    } else {
      needsName.push(name);
      const message = `${name} builds on json-server. standin doctor does not know it, so it was not checked.`;
      findings.push({ ...place, level: "check", message, fix: "Keep the name json-server, and try it." });
    }
  }
  const range = dependencies["json-server"];
  const version = range === undefined ? undefined : String(range);
  if (version !== undefined && isBetaVersion(version)) {
    findings.push({
      level: "differs",
      file: FILE,
      line: lineOfKey(text, "json-server"),
      message: `json-server ${version} is 1.0 beta. standin responds as 0.17, or with --dialect 1 as 1.0; number ids stay numbers.`,
      fix: "Add --dialect 1, and see the second part of docs/migrate-from-json-server.md.",
    });
  }
  const scripts = Object.entries(objectAt(content, "scripts")).flatMap(([name, script]) =>
    typeof script === "string" && script.includes("json-server")
      ? [{ name, text: script, place: { file: FILE, line: lineOfKey(text, name) } }]
      : [],
  );
  return { findings, version, scripts, needsName };
}

export function isBetaVersion(version: string): boolean {
  return /^[\^~>=v\s]*1\b|alpha|beta|latest|next|\*/.test(version);
}

function objectAt(content: JsonObject, key: string): JsonObject {
  const value = content[key];
  return isJsonObject(value) ? value : {};
}

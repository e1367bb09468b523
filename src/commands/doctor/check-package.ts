import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import type { Finding } from "./finding.ts";
import { lineOf } from "./json-lines.ts";
import { dependencyMention, type Mention } from "./mention.ts";
import type { Project } from "./project.ts";

const FILE = "package.json";

/** A script of package.json. */
export interface PackageScript {
  readonly name: string;
  readonly text: string;
  readonly line: number | undefined;
}

/** The facts about json-server in a package.json. */
export interface PackageFacts {
  readonly findings: readonly Finding[];
  readonly mentions: readonly Mention[];
  /** The version range; undefined when it is not a dependency. */
  readonly version: string | undefined;
  readonly scripts: readonly PackageScript[];
  /** The dependencies that load json-server by its name. */
  readonly needsName: readonly string[];
}

export function readPackage(project: Project): PackageFacts {
  const text = project.read(FILE);
  if (text === undefined) return { findings: [], mentions: [], version: undefined, scripts: [], needsName: [] };
  const content = project.readObject(FILE);
  if (!content) {
    const findings: Finding[] = [{ level: "broken", file: FILE, line: undefined, message: "It is not valid JSON." }];
    return { findings, mentions: [], version: undefined, scripts: [], needsName: [] };
  }
  const findings: Finding[] = [];
  const mentions: Mention[] = [];
  const needsName: string[] = [];
  let version: string | undefined;
  for (const group of ["dependencies", "devDependencies", "peerDependencies"]) {
    for (const [name, range] of Object.entries(objectAt(content, group))) {
      const place = { file: FILE, line: lineOf(text, [group, name]) };
      if (name === "json-server") {
        version = String(range);
        mentions.push(dependencyMention(place, version));
      } else if (isAround(name)) {
        needsName.push(name);
        findings.push({ ...place, level: "works", message: `${name} can stay.` });
      } else if (isUnknownAddition(name)) {
        needsName.push(name);
        const message = `${name} builds on json-server. standin doctor does not know it, so it was not checked.`;
        findings.push({ ...place, level: "check", message, fix: "Keep the name json-server, and try it." });
      }
      if (name === "@types/json-server") {
        findings.push({
          ...place,
          level: "differs",
          message: "standin brings its own types.",
          fix: "Remove @types/json-server.",
        });
      }
      if (name === "json-server-reset") findings.push({ ...place, level: "works", message: `${name} can stay.` });
    }
  }
  if (version !== undefined && isBetaVersion(version)) {
    findings.push({
      level: "differs",
      file: FILE,
      line: mentions[0]?.line,
      message: `json-server ${version} is 1.0 beta. standin responds as 0.17, or with --dialect 1 as 1.0; number ids stay numbers.`,
      fix: "Add --dialect 1, and see the second part of docs/migrate-from-json-server.md.",
    });
  }
  const scripts = Object.entries(objectAt(content, "scripts")).flatMap(([name, script]) =>
    typeof script === "string" ? [{ name, text: script, line: lineOf(text, ["scripts", name]) }] : [],
  );
  return { findings, mentions, version, scripts, needsName };
}

/** Whether a package is known to work with standin under the name json-server. */
function isAround(name: string): boolean {
  return name === "json-server-auth" || name === "gulp-json-server";
}

function isUnknownAddition(name: string): boolean {
  const isOther = name === "json-server-reset" || name.startsWith("@types/") || name.startsWith("ra-data-");
  return /json-server/.test(name) && !isOther && !/^(?:standin-)?json-server$/.test(name);
}

export function isBetaVersion(version: string): boolean {
  return /^[\^~>=v\s]*1\b|alpha|beta|latest|next|\*/.test(version);
}

function objectAt(content: JsonObject, key: string): JsonObject {
  const value = content[key];
  return isJsonObject(value) ? value : {};
}

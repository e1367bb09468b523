import { isJsonObject, type JsonObject } from "../json.ts";
import type { Finding, Mention } from "./finding.ts";
import { lineOf } from "./json-lines.ts";
import type { Project } from "./project.ts";

const FILE = "package.json";

/** The facts about json-server in a package.json. */
export interface PackageFacts {
  readonly findings: readonly Finding[];
  readonly mentions: readonly Mention[];
  /** The version range; undefined when it is not a dependency. */
  readonly version: string | undefined;
  readonly scripts: readonly { readonly name: string; readonly text: string; readonly line: number | undefined }[];
}

export function readPackage(project: Project): PackageFacts {
  const text = project.read(FILE);
  if (text === undefined) return { findings: [], mentions: [], version: undefined, scripts: [] };
  const content = project.readObject(FILE);
  if (!content) {
    const findings: Finding[] = [{ level: "broken", file: FILE, line: undefined, message: "It is not valid JSON." }];
    return { findings, mentions: [], version: undefined, scripts: [] };
  }
  const findings: Finding[] = [];
  const mentions: Mention[] = [];
  let version: string | undefined;
  for (const group of ["dependencies", "devDependencies", "peerDependencies"]) {
    for (const [name, range] of Object.entries(objectAt(content, group))) {
      const place = { file: FILE, line: lineOf(text, [group, name]) };
      if (name === "json-server") {
        version = String(range);
        mentions.push({ ...place, text: `"json-server": "${version}"` });
      }
      if (name === "@types/json-server") {
        findings.push({
          ...place,
          level: "differs",
          message: "standin brings its own types.",
          fix: "Remove @types/json-server.",
        });
      }
      if (name === "json-server-auth" || name === "json-server-reset") {
        findings.push({ ...place, level: "works", message: `${name} can stay.` });
      }
    }
  }
  if (version !== undefined && isBetaVersion(version)) {
    findings.push({
      level: "differs",
      file: FILE,
      line: mentions[0]?.line,
      message: `json-server ${version} is 1.0 beta; standin follows 0.17: number ids stay numbers, and pages come as lists with X-Total-Count.`,
      fix: "See the second part of docs/migrate-from-json-server.md.",
    });
  }
  const scripts = Object.entries(objectAt(content, "scripts")).flatMap(([name, script]) =>
    typeof script === "string" ? [{ name, text: script, line: lineOf(text, ["scripts", name]) }] : [],
  );
  return { findings, mentions, version, scripts };
}

export function isBetaVersion(version: string): boolean {
  return /^[\^~>=v\s]*1\b|alpha|beta|latest|next|\*/.test(version);
}

function objectAt(content: JsonObject, key: string): JsonObject {
  const value = content[key];
  return isJsonObject(value) ? value : {};
}

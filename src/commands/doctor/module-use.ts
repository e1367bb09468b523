import type { Finding } from "./finding.ts";
import type { SourceText } from "./project.ts";

const EXPORTS = new Set(["create", "router", "defaults", "rewriter", "bodyParser", "default"]);
const NAMED =
  /(?:(?:const|let|var)\s+|import\s+(?:\*\s*as\s+)?)(\w+)\s*(?:=\s*(?:await\s+)?|from\s+|:\s*\w+\s*=\s*)(?:require\(|import\()?\s*["']json-server["']/;
const TAKEN =
  /(?:(?:const|let|var)\s+|import\s+(?:\w+\s*,\s*)?)\{([^}]*)\}\s*(?:=\s*(?:await\s+)?|from\s+)(?:require\(|import\()?\s*["']json-server["']/;

/** Checks which exports of json-server a file uses: all of 0.17 are there, others are not understood. */
export function checkModuleUse({ file, text }: SourceText): Finding[] {
  const [name] = NAMED.exec(text)?.slice(1) ?? [];
  const taken = TAKEN.exec(text)?.[1]?.split(",") ?? [];
  if (name === undefined && taken.length === 0) return [];
  const used = [
    ...taken.map((one) => one.trim().split(/[\s:]/)[0]!).filter((one) => one !== ""),
    ...(name === undefined ? [] : [...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))].map(([, one]) => one!)),
  ];
  const unknown = used.find((one) => !EXPORTS.has(one) && !/^[A-Z]/.test(one));
  if (unknown === undefined) {
    const message = "The functions of json-server that it uses are there.";
    return [{ level: "works", file, line: undefined, message }];
  }
  const line = text.split("\n").findIndex((content) => new RegExp(`\\b${unknown}\\b`).test(content)) + 1;
  const message = `json-server 0.17 has no export "${unknown}", so this use of it was not understood.`;
  return [{ level: "check", file, line, message }];
}

/** Whether a file passes its lowdb to the router, which then serves that one. */
export function lendsItsLowdb(text: string): boolean {
  const names = [...text.matchAll(/\b(\w+)\s*=\s*(?:await\s+)?low(?:db)?\(/g)].map(([, name]) => name);
  return names.some((name) => new RegExp(`\\brouter\\(\\s*${name}\\b`).test(text));
}

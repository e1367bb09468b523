import { messageOf } from "../../base/errors.ts";
import { isJsonObject, type Json, parseJson } from "../../base/json/json.ts";
import { compileRewrite } from "../../http/rewrite/compile-rewrite.ts";
import { checkGuard, isGuard } from "./check-guards.ts";
import type { Finding, Remark } from "./finding.ts";
import { lineOf } from "./json-lines.ts";
import type { Project } from "./project.ts";

/**
 * Compiles every rule of a rewrite file, and reports those with another meaning than in 0.17. `hasGuards`: json-server-auth
 * reads the file, whose entries such as `"users": 600` are its guards.
 */
export function checkRules(project: Project, file: string, hasGuards = false): Finding[] {
  const text = project.read(file);
  if (text === undefined)
    return [{ level: "broken", file, line: undefined, message: "The rewrite file does not exist." }];
  let rules: Json;
  try {
    rules = parseJson(text);
  } catch (thrown) {
    return [{ level: "broken", file, line: undefined, message: `It is not valid JSON: ${messageOf(thrown)}.` }];
  }
  if (!isJsonObject(rules)) {
    return [{ level: "broken", file, line: 1, message: "It must be a JSON object that maps paths to paths." }];
  }
  const all = Object.entries(rules);
  const entries = all.filter(([, to]) => !(hasGuards && /^\d{3}$/.test(String(to))));
  const guards = hasGuards ? all.filter(([, to]) => isGuard(to)) : [];
  const placed = (from: string, found: Remark | undefined): Finding[] =>
    found ? [{ ...found, file, line: lineOf(text, [from]) }] : [];
  const findings = [
    ...entries.flatMap(([from, to]) => placed(from, checkIgnored(from, to) ?? checkRule(from, String(to)))),
    ...guards.flatMap(([name, guard]) => placed(name, checkGuard(name, guard))),
  ];
  const works = entries.filter(([from, to]) => isUsed(from, to)).length;
  if (works === 0) return findings;
  return [
    ...findings,
    { level: "works", file, line: undefined, message: `${counted(works, "rewrite rule")} can be used.` },
  ];
}

function isUsed(from: string, to: Json): boolean {
  return checkIgnored(from, to) === undefined && checkRule(from, String(to))?.level !== "broken";
}

/** Entries that are no rules: 0.17 ignored them without a word, or failed where one matched. */
function checkIgnored(from: string, to: Json): Remark | undefined {
  if (!from.startsWith("/")) {
    const message = `"${from}" is no rewrite rule, because it has no leading slash. It is ignored, as in 0.17, but with a warning.`;
    return { level: "works", message };
  }
  if (typeof to === "string") return undefined;
  const message = `"${from}" is no rewrite rule, because its target is not a path. It is ignored with a warning; in 0.17, requests that match it fail.`;
  return { level: "differs", message };
}

function checkRule(from: string, to: string): Remark | undefined {
  try {
    const { namesQuery } = compileRewrite(from, to);
    if (namesQuery) return undefined;
  } catch (thrown) {
    return {
      level: "broken",
      message: messageOf(thrown),
      fix: "Correct the rule or remove it; in 0.17 it never worked.",
    };
  }
  const query = to.split("?")[1] ?? "";
  const literal = [...query.matchAll(/:(\w+)/g)].find(([, name]) => !from.includes(`:${name}`));
  if (literal) {
    return {
      level: "differs",
      message: `"${to}": ${literal[0]} is literal here, since the left side does not capture it. In 0.17 such a request failed.`,
    };
  }
  if (/[:*]\w*$/.test(from) && /[:$]\w+$/.test(query)) {
    return {
      level: "differs",
      message: `"${from}" takes one part of the path. In 0.17 it took the query string along, so ${from}?_limit=5 searched for text with "?_limit=5" in it.`,
    };
  }
  return undefined;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

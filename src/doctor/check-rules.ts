import { messageOf } from "../errors.ts";
import { compileRule } from "../http/rewrite/rewrite-rule.ts";
import { isJsonObject, type Json, parseJson } from "../json.ts";
import type { Finding } from "./finding.ts";
import { lineOf } from "./json-lines.ts";
import type { Project } from "./project.ts";

/** Compiles every rule of a rewrite file, and reports those with another meaning than in 0.17. */
export function checkRules(project: Project, file: string): Finding[] {
  const text = project.read(file);
  if (text === undefined)
    return [{ level: "broken", file, line: undefined, message: "The rewrite file does not exist." }];
  let rules: Json;
  try {
    rules = parseJson(text);
  } catch (thrown) {
    return [{ level: "broken", file, line: undefined, message: `It is not valid JSON. ${messageOf(thrown)}` }];
  }
  if (!isJsonObject(rules)) {
    return [{ level: "broken", file, line: 1, message: "It must be a JSON object that maps paths to paths." }];
  }
  const entries = Object.entries(rules);
  const findings = entries.flatMap(([from, to]) => {
    const found = checkRule(from, to);
    return found ? [{ ...found, file, line: lineOf(text, [from]) }] : [];
  });
  const works = entries.length - findings.filter(({ level }) => level !== "differs").length;
  if (works === 0) return findings;
  return [
    ...findings,
    { level: "works", file, line: undefined, message: `${counted(works, "rewrite rule")} can be used.` },
  ];
}

function checkRule(from: string, to: Json): Pick<Finding, "level" | "message" | "fix"> | undefined {
  if (typeof to !== "string") return { level: "broken", message: `The target of "${from}" must be a string, a path.` };
  try {
    const { namesQuery } = compileRule(from, to);
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

import { stringifyJson } from "../../base/json/json.ts";
import type { Exported } from "../store.ts";

/** The records of one piece. */
const CHUNK = 256;

/** Renders a whole database as the user's file: 2-space JSON, or a single line, with a final newline, piece by piece. */
export function* renderDatabase(members: readonly Exported[], isCompact = false): Generator<string> {
  if (members.length === 0) {
    yield "{}\n";
    return;
  }
  const [line, space, indent] = isCompact ? ["", "", undefined] : ["\n  ", " ", "  "];
  for (const [position, member] of members.entries()) {
    yield `${position === 0 ? "{" : ","}${line}${JSON.stringify(member.name)}:${space}`;
    yield* renderMember(member, indent);
  }
  yield isCompact ? "}\n" : "\n}\n";
}

/** Renders one member as a file of its own. */
export function* renderMemberFile(member: Exported, isCompact = false): Generator<string> {
  yield* renderMember(member, isCompact ? undefined : "");
  yield "\n";
}

/** Without an indent, on one line. */
function* renderMember(member: Exported, indent: string | undefined): Generator<string> {
  if (member.kind === "singleton") yield indented(member.record.value, indent);
  else if (member.kind === "aside") yield indented(member.value, indent);
  else if (member.records.length === 0) yield "[]";
  else {
    const end = indent === undefined ? "]" : `\n${indent}]`;
    for (let at = 0; at < member.records.length; at += CHUNK) {
      const values = member.records.slice(at, at + CHUNK).map(({ value }) => value);
      yield `${at === 0 ? "[" : ","}${indented(values, indent).slice(1, -end.length)}`;
    }
    yield end;
  }
}

/** The JSON of a value that stands in text with this indent; without one, on one line. */
export function indented(value: unknown, indent: string | undefined): string {
  if (indent === undefined) return stringifyJson(value);
  const text = stringifyJson(value, 2);
  return indent === "" ? text : text.replaceAll("\n", `\n${indent}`);
}

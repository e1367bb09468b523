import type { Json } from "../../base/json/json.ts";
import {
  compactPieces,
  compactRun,
  indentedPieces,
  indentedRun,
  RUN,
} from "../../base/json/large/stringify-in-pieces.ts";
import type { Exported } from "../store.ts";

/** Characters per piece: few enough to render in about a millisecond. */
const PIECE_LENGTH = 64 * 1024;

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
  const piecesOf = (value: Json): Generator<string> =>
    indent === undefined ? compactPieces(value) : indentedPieces(value, indent);
  if (member.kind === "singleton") yield* piecesOf(member.record.value);
  else if (member.kind === "aside") yield* piecesOf(member.value);
  else if (member.records.length === 0) yield "[]";
  else {
    const { records } = member;
    let piece = "[";
    for (let at = 0; at < records.length; at += RUN) {
      if (at > 0) piece += ",";
      const run = records.slice(at, at + RUN).map(({ value }) => value);
      for (const part of indent === undefined ? compactRun(run) : indentedRun(run, indent)) {
        piece += part;
        if (piece.length < PIECE_LENGTH) continue;
        yield piece;
        piece = "";
      }
    }
    yield indent === undefined ? `${piece}]` : `${piece}\n${indent}]`;
  }
}

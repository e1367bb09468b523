import { indentedPieces, indentedRun, RUN } from "../../base/json/large/stringify-in-pieces.ts";
import type { Exported } from "../store.ts";

/** Characters per piece: few enough to render in about a millisecond. */
const PIECE_LENGTH = 64 * 1024;

/** Renders a whole database as the user's file: 2-space JSON with a final newline, piece by piece. */
export function* renderDatabase(members: readonly Exported[]): Generator<string> {
  if (members.length === 0) {
    yield "{}\n";
    return;
  }
  yield "{\n";
  for (const [position, member] of members.entries()) {
    yield `${position === 0 ? "" : ",\n"}  ${JSON.stringify(member.name)}: `;
    yield* renderMember(member, "  ");
  }
  yield "\n}\n";
}

/** Renders one member as a file of its own. */
export function* renderMemberFile(member: Exported): Generator<string> {
  yield* renderMember(member, "");
  yield "\n";
}

function* renderMember(member: Exported, indent: string): Generator<string> {
  if (member.kind === "singleton") yield* indentedPieces(member.record.value, indent);
  else if (member.kind === "aside") yield* indentedPieces(member.value, indent);
  else if (member.records.length === 0) yield "[]";
  else {
    const { records } = member;
    let piece = "[";
    for (let at = 0; at < records.length; at += RUN) {
      if (at > 0) piece += ",";
      const run = records.slice(at, at + RUN).map(({ value }) => value);
      for (const part of indentedRun(run, indent)) {
        piece += part;
        if (piece.length < PIECE_LENGTH) continue;
        yield piece;
        piece = "";
      }
    }
    yield `${piece}\n${indent}]`;
  }
}

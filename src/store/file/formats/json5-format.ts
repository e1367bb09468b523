import JSON5 from "json5";
import { messageOf } from "../../../base/errors.ts";
import { type Json, stringifyJson } from "../../../base/json/json.ts";
import type { DataFormat } from "./data-format.ts";

/** Texts, which may contain the beginning of a comment, or that beginning. */
const TOKEN = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/[/*]/gs;

/** JSON5 and, as a part of it, JSON with comments. Saved as JSON, which is both. */
export const json5Format: DataFormat = {
  parse(text) {
    try {
      return JSON5.parse<Json>(text);
    } catch (thrown) {
      const [, reason, line, column] = /^JSON5: (.*) at (\d+):(\d+)$/.exec(messageOf(thrown)) ?? [];
      throw line === undefined ? thrown : new Error(`line ${line}, column ${column}: ${reason}.`);
    }
  },
  render: (value) => `${stringifyJson(value, 2)}\n`,
  commentLine(text) {
    for (const { 0: token, index } of text.matchAll(TOKEN)) {
      if (token.startsWith("/")) return text.slice(0, index).split("\n").length;
    }
    return undefined;
  },
};

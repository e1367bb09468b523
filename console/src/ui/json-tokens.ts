/** The parts of a JSON text that are coloured differently; `bad` is what JSON does not have. */
export type JsonTokenKind = "key" | "string" | "number" | "word" | "mark" | "bad";

export interface JsonToken {
  /** Undefined for the space between others. */
  readonly kind: JsonTokenKind | undefined;
  readonly text: string;
}

const PARTS = [
  String.raw`(?<space>\s+)`,
  String.raw`(?<string>"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")(?<colon>\s*:)?`,
  String.raw`(?<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))`,
  String.raw`(?<word>(?:true|false|null)(?!\w))`,
  String.raw`(?<mark>[{}[\],:])`,
  String.raw`(?<bad>"[^\n]*|[^\s{}[\],:"]+|.)`,
];
const TOKEN = new RegExp(PARTS.join("|"), "gsu");

/** Splits a JSON text, however broken it is: all tokens together are the text. */
export function tokensOf(text: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  for (const { groups = {} } of text.matchAll(TOKEN)) {
    const { space, string, colon, number, word, mark, bad } = groups;
    if (space !== undefined) tokens.push({ kind: undefined, text: space });
    else if (string !== undefined) {
      tokens.push({ kind: colon === undefined ? "string" : "key", text: string });
      if (colon !== undefined) tokens.push({ kind: "mark", text: colon });
    } else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else if (mark !== undefined) tokens.push({ kind: "mark", text: mark });
    else tokens.push({ kind: "bad", text: bad as string });
  }
  return tokens;
}

/** Completions at the caret of a JSON text, however incomplete the text is. */
export interface JsonPlace {
  readonly kind: "key" | "value";
  /** The keys of the objects around it; lists have none. */
  readonly path: readonly string[];
  /** The keys that its object has elsewhere. */
  readonly taken: ReadonlySet<string>;
  /** The part that has been typed, without quotes. */
  readonly typed: string;
  /** Where that part is in the text, quotes included. */
  readonly from: number;
  readonly to: number;
}

interface Frame {
  readonly isList: boolean;
  key: string;
  wants: "key" | "colon" | "value" | "end";
  readonly keys: Set<string>;
}

/** A string, whole or cut off at the end of its line, a bare word, or a mark. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"?|[^\s{}[\],:"]+|[{}[\],:]/g;
const MARK = /^[{}[\],:]$/;

/** The place of the caret; undefined where neither a key nor a value fits. */
export function placeAt(text: string, caret: number): JsonPlace | undefined {
  const frames: Frame[] = [];
  let found: { readonly frame: Frame; readonly place: JsonPlace } | undefined;
  const look = (from: number, to: number, typed: string): void => {
    const frame = frames.at(-1);
    if (!frame || !(frame.wants === "key" || frame.wants === "value")) return;
    const path = frames.flatMap(({ isList, key }, at) =>
      isList || (frame.wants === "key" && at === frames.length - 1) ? [] : [key],
    );
    found = { frame, place: { kind: frame.wants, path, taken: frame.keys, typed, from, to } };
  };
  let isPassed = false;
  const tokens = new RegExp(TOKEN);
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const { 0: token, index } = match;
    const end = index + token.length;
    const isMark = MARK.test(token);
    if (!isPassed && index >= caret) {
      look(caret, caret, "");
      isPassed = true;
    } else if (!isPassed && !isMark && (caret < end || (caret === end && !isClosed(token)))) {
      // A quote further on in the line belongs to something else: the string at the caret is not closed yet.
      const to = isClosed(token) && /^[\w.-]*"$/.test(text.slice(caret, end)) ? end : caret;
      look(index, to, text.slice(index, caret).replace(/^"/, ""));
      isPassed = true;
      // The word at the caret is no key of its object yet.
      step(frames, text.slice(index, to), false);
      tokens.lastIndex = to;
      continue;
    }
    if (isPassed && !(found && frames.includes(found.frame))) break;
    step(frames, token, true);
  }
  if (!isPassed) look(caret, caret, "");
  return found?.place;
}

function isClosed(token: string): boolean {
  return /^"(?:[^"\\]|\\.)*"$/.test(token);
}

/** Goes on behind a token. */
function step(frames: Frame[], token: string, isKept: boolean): void {
  const frame = frames.at(-1);
  if (token === "{" || token === "[") {
    const isList = token === "[";
    frames.push({ isList, key: "", wants: isList ? "value" : "key", keys: new Set() });
  } else if (token === "}" || token === "]") {
    frames.pop();
    const outer = frames.at(-1);
    if (outer) outer.wants = "end";
  } else if (!frame) return;
  else if (token === ",") frame.wants = frame.isList ? "value" : "key";
  else if (token === ":") frame.wants = "value";
  else if (frame.wants === "key") {
    frame.key = token.replace(/^"|"$/g, "");
    if (isKept) frame.keys.add(frame.key);
    frame.wants = "colon";
  } else frame.wants = "end";
}

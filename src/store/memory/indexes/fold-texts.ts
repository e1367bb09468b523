import type { Json } from "../../../base/json/json.ts";
import { judgedValues } from "../../../query/condition.ts";
import { type Path, someValueAt } from "../../../query/path.ts";
import { isPlainText } from "../../../query/pattern-literals.ts";
import { searchedTexts } from "../../../query/search.ts";
import { foldCase, textOf } from "../../../query/text.ts";
import type { Folded } from "./text-segment.ts";
import { hasMark, TEXT_END, TEXT_START } from "./words.ts";

/** All texts of a record that `q` searches. They are searched in lower case, whatever their letters. */
export function foldAll(value: Json): Folded {
  return { texts: typeof value === "object" ? searchedTexts(value) : [], isPlain: true };
}

/** The texts at a path that a condition tests. Plain is a single text of ASCII letters. */
export function foldAt(value: Json, path: Path): Folded {
  let only: Json | undefined;
  let count = 0;
  someValueAt(value, path, (one) => {
    only = one;
    return ++count > 1;
  });
  if (count === 1 && typeof only === "string" && isPlainText(only)) {
    return { texts: [enclosed(only.toLowerCase())], isPlain: !hasMark(only) };
  }
  const texts = judgedValues(value, path).map(textOf).flatMap(spellings);
  return { texts: texts.map(enclosed), isPlain: false };
}

function enclosed(text: string): string {
  return `${TEXT_START}${text}${TEXT_END}`;
}

/** As texts are compared in lower case, and as patterns compare letters. */
function spellings(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const folded = foldCase(text);
  return lower === folded ? [lower] : [lower, folded];
}

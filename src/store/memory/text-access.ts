import { meetsCondition } from "../../query/condition.ts";
import type { Condition } from "../../query/query.ts";
import { containsInFields } from "../../query/search.ts";
import { foldCase } from "../../query/text.ts";
import { isAscii } from "../../query/wildcards.ts";
import type { Access } from "./access.ts";
import { type Indexes, PendingIndex } from "./indexes/index-set.ts";
import { SEPARATOR } from "./indexes/text-blocks.ts";
import type { TextIndex, TextSearch } from "./indexes/text-index.ts";

/** The records that contain the text of `q`; undefined where an index would not help or is not worth waiting for. */
export function searchAccess(indexes: Indexes, text: string): Access | PendingIndex | undefined {
  if (text.includes(SEPARATOR)) return undefined;
  const index = indexes.search();
  if (!index || index instanceof PendingIndex) return index;
  return textAccess(index, undefined, {
    key: text,
    literals: [text],
    part: text,
    holdsLower: (lower) => lower.includes(text),
    meets: ({ value }) => containsInFields(value, text),
  });
}

/** The records that match a pattern or have a part; undefined as above. */
export function likeAccess(indexes: Indexes, condition: Condition): Access | PendingIndex | undefined {
  const { operator, path, values, holdsLower } = condition;
  const literals = condition.literals?.length === 1 ? condition.literals[0]! : [];
  const part = longestPart(literals);
  if (part === "" && !holdsLower) return undefined;
  const index = indexes.text(path);
  if (!index || index instanceof PendingIndex) return index;
  return textAccess(index, condition, {
    key: `${operator} ${values.join(SEPARATOR)}`,
    literals,
    part,
    holdsLower,
    meets: ({ value }) => meetsCondition(value, condition),
  });
}

function longestPart(literals: readonly string[]): string {
  let longest = "";
  for (const literal of literals) {
    if (literal.length > longest.length && !literal.includes(SEPARATOR)) longest = literal;
  }
  return isAscii(longest) ? longest : foldCase(longest);
}

/** Without a condition, the search is that of `q`. */
function textAccess(index: TextIndex, condition: Condition | undefined, search: TextSearch): Access {
  const name = `text index on ${condition ? condition.path.text : "all fields"}`;
  const meets = condition ? [condition] : [];
  const meetsSearch = !condition;
  const known = index.known(search);
  if (!known) {
    const estimate = index.estimate(search);
    return { name, meets, meetsSearch, estimate, isExact: false, collect: (account) => index.find(search, account) };
  }
  return {
    name,
    meets,
    meetsSearch,
    estimate: known.length,
    isExact: true,
    collect: () => known,
    slice: (from, to) => (from === 0 && to === known.length ? known : known.slice(from, to)),
  };
}

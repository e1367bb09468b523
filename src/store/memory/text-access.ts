import { anyOf, meetsCondition } from "../../query/condition.ts";
import { valueAt } from "../../query/path.ts";
import { compilePieces, isAscii, isPlainText, type LiteralPieces } from "../../query/pattern-literals.ts";
import type { Condition } from "../../query/query.ts";
import { createSearch } from "../../query/search.ts";
import { foldCase } from "../../query/text.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { Access } from "./access.ts";
import { type Indexes, PendingIndex } from "./indexes/index-set.ts";
import type { TextIndex, TextSearch } from "./indexes/text-index.ts";
import { hasMark, isOneWord, needlesOf, SEPARATOR, TEXT_END, TEXT_START } from "./indexes/words.ts";

/** The records that contain the text of `q`; undefined where an index would not help or is not worth waiting for. */
export function searchAccess(indexes: Indexes, text: string): Access | PendingIndex | undefined {
  const needles = needlesOf(text);
  if (needles.length === 0) return undefined;
  const index = indexes.search();
  if (!index || index instanceof PendingIndex) return index;
  const part = text.includes(SEPARATOR) ? "" : text;
  return textAccess(index, undefined, {
    key: text,
    ways: [needles],
    isApart: false,
    isExact: isOneWord(text),
    part,
    holds: part === "" ? undefined : (one) => one.includes(part),
    meets: searchTest(text),
    isSlow: false,
  });
}

/** Digits and dots stand in the JSON of a record as they are, so that most records need no look at their fields. */
function searchTest(text: string): (record: StoredRecord) => boolean {
  const contains = createSearch(text);
  return /^[\d.]+$/.test(text)
    ? (record) => record.text.includes(text) && contains(record.value)
    : ({ value }) => contains(value);
}

/** The records that match a pattern or have a part; undefined as above. */
export function likeAccess(indexes: Indexes, condition: Condition): Access | PendingIndex | undefined {
  const ways = waysOf(condition);
  if (!ways) return undefined;
  const index = indexes.text(condition.path);
  if (!index || index instanceof PendingIndex) return index;
  const { operator, values } = condition;
  const only = ways.length === 1 ? ways[0] : undefined;
  const isApart = only?.isApart ?? false;
  return textAccess(index, condition, {
    key: `${operator} ${values.join(SEPARATOR)}`,
    ways: ways.map(({ needles }) => needles),
    isApart,
    isExact: isApart || ways.every(({ isExact }) => isExact),
    part: only?.part ?? "",
    holds: only?.part ? enclosedTest(condition.pieces?.[0]) : undefined,
    meets: testOf(condition),
    isSlow: condition.isSlow,
  });
}

/** Tests texts between marks. */
function enclosedTest(pieces: LiteralPieces | undefined): ((text: string) => boolean) | undefined {
  if (!pieces) return undefined;
  const holds = compilePieces(pieces);
  return (text) => holds(text.slice(TEXT_START.length, -TEXT_END.length));
}

/** Tests records: usual ones, which have one plain text, without a look at what else there may be. */
function testOf(condition: Condition): (record: StoredRecord) => boolean {
  const { path, pieces = [] } = condition;
  const tests = pieces.flatMap((one) => (one ? compilePieces(one) : []));
  const isGeneral = tests.length === 0 || tests.length < pieces.length || path.segments.length > 1;
  if (isGeneral) return ({ value }) => meetsCondition(value, condition);
  const holds = anyOf(tests);
  return ({ value }) => {
    const text = valueAt(value, path);
    return typeof text === "string" && isPlainText(text) ? holds(text.toLowerCase()) : meetsCondition(value, condition);
  };
}

/** One of the alternatives of a search. */
interface Way {
  readonly needles: readonly string[];
  readonly isExact: boolean;
  readonly isApart: boolean;
  readonly part: string;
}

/** A way for each value of a condition; undefined if there is none for one of them. */
function waysOf({ literals = [], pieces = [] }: Condition): readonly Way[] | undefined {
  const ways: Way[] = [];
  for (const [at, texts] of literals.entries()) {
    const way = wayOf(texts, pieces[at]);
    if (!way) return undefined;
    ways.push(way);
  }
  return ways.length > 0 ? ways : undefined;
}

function wayOf(texts: readonly string[], pieces: LiteralPieces | undefined): Way | undefined {
  if (texts.some(hasMark)) return undefined;
  const parts = pieces ? markedParts(pieces) : texts.map((text) => (isAscii(text) ? text : foldCase(text)));
  const needles = parts.flatMap(needlesOf);
  if (needles.length === 0) return undefined;
  const areExact = pieces !== undefined && parts.every(isOneWord);
  const part = parts.reduce((longest, one) => (one.length > longest.length ? one : longest));
  return {
    needles,
    isExact: areExact && parts.length === 1,
    isApart: areExact && areBound(parts),
    part: part.includes(SEPARATOR) ? "" : part,
  };
}

/** Whether one of two parts is in the first or last word of a text, so that another word with the other part is on its right side. */
function areBound([first = "", second = "", ...more]: readonly string[]): boolean {
  return second !== "" && more.length === 0 && (first.startsWith(TEXT_START) || second.endsWith(TEXT_END));
}

/** The literals of a pattern, with the marks of texts where it is bound to their start or end. Without any, all texts match. */
function markedParts({ isAtStart, literals, isAtEnd }: LiteralPieces): string[] {
  const last = literals.length - 1;
  const parts = literals
    .map((one, at) => `${isAtStart && at === 0 ? TEXT_START : ""}${one}${isAtEnd && at === last ? TEXT_END : ""}`)
    .filter((part, at) => part.length > (literals[at] === "" ? 1 : 0));
  return parts.length > 0 ? parts : [TEXT_START];
}

/** Without a condition, the search is that of `q`. */
function textAccess(index: TextIndex, condition: Condition | undefined, search: TextSearch): Access {
  const name = `text index on ${condition ? condition.path.text : "all fields"}`;
  const meets = condition ? [condition] : [];
  const meetsSearch = !condition;
  const known = index.known(search);
  if (known) {
    const slice = (from: number, to: number) => (from === 0 && to === known.length ? known : known.slice(from, to));
    return { name, meets, meetsSearch, estimate: known.length, isExact: true, collect: () => known, slice };
  }
  const hits = index.hitsAtOnce(search);
  if (!hits?.areMatches) {
    // Testing some is never slower than testing all.
    const estimate = Math.min(hits?.size ?? index.size, index.size / 2);
    const collect: Access["collect"] = (account) => index.find(search, hits, account);
    return { name, meets, meetsSearch, estimate, isExact: false, collect };
  }
  const slice = (from: number, to: number) => hits.slice(from, to);
  const collect = () => slice(0, hits.size);
  return { name, meets, meetsSearch, estimate: hits.size, isExact: true, collect, slice };
}

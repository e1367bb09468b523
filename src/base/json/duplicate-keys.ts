/** A key that an object has twice. */
export interface DuplicateKey {
  readonly key: string;
  /** The lines of the first two, from 1. */
  readonly lines: readonly [first: number, second: number];
}

/**
 * Finds a key that an object in a JSON text has twice, given the value of the text; undefined if there is none. JSON.parse
 * keeps the last one only, so the value has fewer keys then.
 */
export function findDuplicateKey(text: string, value: unknown): DuplicateKey | undefined {
  let count = 0;
  visitStrings(text, (_start, _end, isKey) => {
    if (isKey) count++;
  });
  return count === countKeys(value) ? undefined : firstDuplicate(text);
}

/** Follows the name of a file. */
export function duplicateMessage({ key, lines: [first, second] }: DuplicateKey): string {
  const where = first === second ? `in line ${first}` : `in lines ${first} and ${second}`;
  return `has the key ${JSON.stringify(key)} twice in one object, ${where}. Remove or rename one of them.`;
}

/** The keys of all objects in a value. */
function countKeys(root: unknown): number {
  let count = 0;
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const members = Object.values(value);
    if (!Array.isArray(value)) count += members.length;
    for (const member of members) if (typeof member === "object" && member !== null) open.push(member);
  }
  return count;
}

type Visit = (start: number, end: number, isKey: boolean) => void;

/** Visits the strings of a valid text, quotes included. */
function visitStrings(text: string, visit: Visit): void {
  for (let start = text.indexOf('"'); start !== -1; ) {
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    let next = end + 1;
    while (isSpace(text.charCodeAt(next))) next++;
    visit(start, end + 1, text.charCodeAt(next) === 0x3a);
    start = text.indexOf('"', next);
  }
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === 0x5c) first--;
  return (quote - first) % 2 === 1;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function firstDuplicate(text: string): DuplicateKey | undefined {
  /** The places of the keys of each object that is open. */
  const open: Map<string, number>[] = [];
  let found: { key: string; first: number; second: number } | undefined;
  let from = 0;
  visitStrings(text, (start, end, isKey) => {
    if (found) return;
    for (const bracket of text.slice(from, start).match(/[[\]{}]/g) ?? []) {
      if (bracket === "{" || bracket === "[") open.push(new Map());
      else open.pop();
    }
    from = end;
    const keys = open.at(-1);
    if (!isKey || !keys) return;
    const key = JSON.parse(text.slice(start, end)) as string;
    const first = keys.get(key);
    if (first !== undefined) found = { key, first, second: start };
    keys.set(key, start);
  });
  return found && { key: found.key, lines: [lineAt(text, found.first), lineAt(text, found.second)] };
}

function lineAt(text: string, place: number): number {
  return text.slice(0, place).split("\n").length;
}

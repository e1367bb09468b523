import { isSpace } from "../exact/exact-parts.ts";
import { scannerFor } from "../fast-scan/scanner.ts";
import { countKeys } from "./count-keys.ts";
import { mostKeys } from "./most-keys.ts";

/** A key that an object has twice. */
export interface DuplicateKey {
  readonly key: string;
  /** The lines of the first two, from 1. */
  readonly lines: readonly [first: number, second: number];
}

/**
 * Finds a key that an object in a JSON text has twice, given the value of the text, and the number of its keys if that is
 * known; undefined if there is none. JSON.parse keeps the last one only, so the value has fewer keys then.
 */
export function findDuplicateKey(text: string, value: unknown, kept = countKeys(value)): DuplicateKey | undefined {
  // Each looks closer than the one before, and takes longer: strings can contain what looks like the end of a key.
  if (scannerFor(text)?.countColons(text) === kept || mostKeys(text) === kept) return undefined;
  let count = 0;
  visitKeys(text, { key: () => void count++ });
  return count === kept ? undefined : firstDuplicate(text);
}

/** Follows the name of a file. */
export function duplicateMessage({ key, lines: [first, second] }: DuplicateKey): string {
  const where = first === second ? `in line ${first}` : `in lines ${first} and ${second}`;
  return `has the key ${JSON.stringify(key)} twice in one object, ${where}. Remove or rename one of them.`;
}

interface Visitor {
  open?(): void;
  close?(): void;
  /** Called with the place of a key, quotes included. */
  key(start: number, end: number): void;
}

/** Visits the objects, arrays and keys of a valid text. */
function visitKeys(text: string, visitor: Visitor): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) visitor.open?.();
    else if (code === 0x7d || code === 0x5d) visitor.close?.();
    else if (code === 0x22) {
      const start = at++;
      for (; text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at++;
      let next = at + 1;
      while (isSpace(text.charCodeAt(next))) next++;
      if (text.charCodeAt(next) === 0x3a) visitor.key(start, at + 1);
    }
  }
}

function firstDuplicate(text: string): DuplicateKey | undefined {
  /** The places of the keys of each object that is open. */
  const open: (Map<string, number> | undefined)[] = [];
  let found: { key: string; first: number; second: number } | undefined;
  visitKeys(text, {
    open: () => void open.push(undefined),
    close: () => void open.pop(),
    key(start, end) {
      if (found) return;
      const key = JSON.parse(text.slice(start, end)) as string;
      const known = open[open.length - 1] ?? new Map<string, number>();
      open[open.length - 1] = known;
      const first = known.get(key);
      if (first !== undefined) found = { key, first, second: start };
      known.set(key, start);
    },
  });
  return found && { key: found.key, lines: [lineAt(text, found.first), lineAt(text, found.second)] };
}

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < place; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Code points as ranges without gaps, as the engine of patterns reads them. */
class RangeTable {
  readonly length: number;
  readonly #bounds: readonly number[];

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.length = bounds.length / 2;
  }

  getLo(index: number): number {
    return this.#bounds[index * 2] ?? 0;
  }

  getHi(index: number): number {
    return this.#bounds[index * 2 + 1] ?? 0;
  }

  getStride(): number {
    return 1;
  }
}

/** A run of code points that a text can have in one piece: surrogates would join. */
interface Part {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

let madeParts: readonly Part[] | undefined;

function allParts(): readonly Part[] {
  madeParts ??= [
    part(0, 0xd7ff),
    part(0xe000, 0xffff),
    ...Array.from({ length: 16 }, (_, plane) => part((plane + 1) << 16, ((plane + 1) << 16) | 0xffff)),
  ];
  return madeParts;
}

function part(first: number, last: number): Part {
  const units: number[] = [];
  for (let code = first; code <= last; code++) {
    if (code <= 0xffff) units.push(code);
    else units.push(0xd7c0 + (code >> 10), 0xdc00 | (code & 0x3ff));
  }
  return { first, last, text: new TextDecoder("utf-16le", { ignoreBOM: true }).decode(Uint16Array.from(units)) };
}

/** The code points that a class such as `\p{L}` matches, as bounds of ranges. */
function boundsOf(classText: string): number[] {
  const run = new RegExp(`${classText}+`, "gu");
  const bounds: number[] = [];
  for (const { first, last, text } of allParts()) {
    const units = first > 0xffff ? 2 : 1;
    for (const { index, 0: found } of text.matchAll(run)) {
      bounds.push(first + index / units, first + (index + found.length) / units - 1);
    }
    if (last === 0xd7ff && "\ud800".search(run) === 0) bounds.push(0xd800, 0xdfff);
  }
  return bounds;
}

/** Each code point that has other cases, with the next one of them; the last is followed by the first. */
function caseOrbits(): Map<number, number> {
  const orbits = new Map<string, Set<string>>();
  // No other plane has cases.
  const parts = [part(0, 0xd7ff), part(0xe000, 0xffff), part(0x10000, 0x1ffff)];
  for (const { text } of parts) {
    for (const [one] of text.matchAll(/[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/gu)) {
      for (const other of [one.toLowerCase(), one.toUpperCase()]) {
        // The browser says which are the same: of ı and I, and of İ and i, none is the other.
        if (other === one || !/^(.)\1$/isu.test(one + other)) continue;
        const orbit = new Set([...(orbits.get(one) ?? [one]), ...(orbits.get(other) ?? [other])]);
        for (const member of orbit) orbits.set(member, orbit);
      }
    }
  }
  return new Map([...orbits].map(([one, orbit]) => [codeOf(one), nextOf(codeOf(one), [...orbit].map(codeOf))]));
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function nextOf(code: number, orbit: readonly number[]): number {
  const higher = orbit.filter((other) => other > code);
  return Math.min(...(higher.length > 0 ? higher : orbit));
}

/** Tables by name, each made when it is first asked for. */
class Tables {
  readonly #names: ReadonlySet<string>;
  readonly #make: (name: string) => RangeTable | null;
  readonly #made = new Map<string, RangeTable | null>();

  constructor(names: readonly string[], make: (name: string) => RangeTable | null) {
    this.#names = new Set(names);
    this.#make = make;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  get(name: string): RangeTable | null {
    const made = this.#made.get(name);
    if (made !== undefined) return made;
    const table = this.has(name) ? this.#make(name) : null;
    this.#made.set(name, table);
    return table;
  }
}

/**
 * Stands in for the tables of the engine of patterns, which are half of it: the browser knows them. The engine's own names
 * of categories and scripts are given.
 */
export function createUnicodeTables(categories: readonly string[], scripts: readonly string[]) {
  let orbits: Map<number, number> | undefined;
  let printed: RangeTable | undefined;
  const orbitsOnce = (): Map<number, number> => (orbits ??= caseOrbits());
  /** The code points outside of a class that have another case in it. */
  const foldsOf = (classText: string): RangeTable | null => {
    const known = new RegExp(classText, "u");
    const isIn = (code: number): boolean => known.test(String.fromCodePoint(code));
    const folds: number[] = [];
    for (const code of [...orbitsOnce().keys()].sort((one, other) => one - other)) {
      if (!isIn(code) && othersOf(code, orbitsOnce()).some(isIn)) folds.push(code, code);
    }
    return folds.length > 0 ? new RangeTable(folds) : null;
  };
  const classOf = (prefix: string) => (name: string) => {
    // A browser of another year may not know a script yet.
    const classText = `\\p{${prefix}${name}}`;
    try {
      new RegExp(classText, "u");
      return classText;
    } catch {
      return "[]";
    }
  };
  const [category, script] = [classOf(""), classOf("Script=")];
  return {
    get CASE_ORBIT() {
      return orbitsOnce();
    },
    get Print() {
      printed ??= new RangeTable(boundsOf("[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]"));
      return printed;
    },
    CATEGORIES: new Tables(categories, (name) => new RangeTable(boundsOf(category(name)))),
    SCRIPTS: new Tables(scripts, (name) => new RangeTable(boundsOf(script(name)))),
    FOLD_CATEGORIES: new Tables(categories, (name) => foldsOf(category(name))),
    FOLD_SCRIPT: new Tables(scripts, (name) => foldsOf(script(name))),
  };
}

function othersOf(code: number, orbits: ReadonlyMap<number, number>): number[] {
  const others: number[] = [];
  for (let next = orbits.get(code); next !== undefined && next !== code; next = orbits.get(next)) others.push(next);
  return others;
}

/** The characters that one place of a pattern may have, the most readable first. */
export interface Characters {
  /** Some of them; empty if none was found. */
  readonly samples: readonly string[];
}

/** Where characters are looked for, in this order: one range that has some is enough. */
const RANGES: readonly (readonly [number, number])[][] = [
  [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x61, 0x7a],
  ],
  [[0x20, 0x7e]],
  [[0xa1, 0x24f]],
  [
    [0x00, 0x1f],
    [0x370, 0x5ff],
    [0x3040, 0x30ff],
    [0x4e00, 0x4eff],
    [0x1f300, 0x1f64f],
  ],
  [
    [0x250, 0xd7ff],
    [0xe000, 0xffff],
  ],
  [[0x10000, 0x10ffff]],
];
const MAX_CLASSES = 1000;
const known = new Map<string, Characters>();

export function literal(character: string): Characters {
  return { samples: [character] };
}

/** The characters of a class such as `[a-f]`, `\d` or `\p{Lu}`: one character each, so a test of it costs nothing. */
export function charactersOf(source: string): Characters {
  const former = known.get(source);
  if (former) return former;
  const pattern = new RegExp(`^(?:${source})$`, "u");
  const characters = { samples: samplesOf(pattern) };
  if (known.size === MAX_CLASSES) known.clear();
  known.set(source, characters);
  return characters;
}

function samplesOf(pattern: RegExp): string[] {
  for (const ranges of RANGES) {
    const found = ranges.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).filter((one) =>
        pattern.test(one),
      ),
    );
    if (found.length > 0) return found;
  }
  return [];
}

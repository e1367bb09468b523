import { get, i8x16, i16x8, i32, i32x4, loop, next, type Procedure, set, v128 } from "./assemble.ts";
import { CONTEXT, LANE } from "./sizes.ts";

const HASH = 0x23;
const COLON = 0x3a;

/** Counts the colons behind a character below `#`, up to `end`. */
export function colons(): Procedure {
  const [end, at, counts] = [0, 1, 2] as const;
  const step = loop(
    get(counts),
    get(at),
    v128.load(CONTEXT),
    i8x16.all(COLON),
    i8x16.eq,
    get(at),
    v128.load(CONTEXT - 1),
    i8x16.all(HASH),
    i8x16.ltU,
    v128.and,
    // A byte is now -1 if its colon counts. Two of them for each of the eight counts: 16 bits suffice for the capacity.
    i16x8.addPairs,
    i16x8.add,
    set(counts),
    next(at, LANE, end),
  );
  const sum = [0, 1, 2, 3].flatMap((lane) => [get(counts), i32x4.addPairs, i32x4.lane(lane), i32.sub]);
  return { name: "colons", parameters: 1, numbers: 1, vectors: 1, code: [step, i32.const(0), ...sum] };
}

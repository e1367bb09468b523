import {
  type Code,
  get,
  i8x16,
  i32,
  i64x2,
  leave,
  loop,
  next,
  type Procedure,
  set,
  tee,
  v128,
  when,
} from "./assemble.ts";
import { CONTEXT, LANE } from "./sizes.ts";

const POINT = 0x2e;
const NINE = 0x39;
const E = 0x65;
/** The bit that distinguishes `e` from `E`. */
const CASE_BIT = 0x20;
const HALF = LANE / 2;

/**
 * Finds 16 digits in a row, or a digit before what may be an exponent of three digits, from `at` on; returns the place, or one
 * that is not below `end`. Points and slashes are digits here. Unless `at` is 0, the characters before it count no more.
 */
export function numbers(): Procedure {
  const [at, end, digits, es, found, digitBytes] = [0, 1, 2, 3, 4, 5] as const;
  const forget = [get(at), when(get(at), i8x16.all(0), v128.store(CONTEXT - LANE))];
  const step = loop(
    // Cheap, and seldom true: a digit before an e, or digits only in one half of the step, as 16 of them cover one.
    ...digitsAt(at, 0),
    tee(digitBytes),
    ...esAt(at, 1),
    v128.and,
    get(digitBytes),
    i8x16.all(0xff),
    i64x2.eq,
    v128.or,
    v128.anyTrue,
    when(
      ...bitsAround(at, digitsAt),
      set(digits),
      ...bitsAround(at, esAt),
      set(es),
      // Runs of 2, 4, 8 and then 16 digits.
      get(digits),
      ...[1, 2, 4, 8].flatMap((distance) => [tee(found), ...followedBy(found, distance)]),
      // A digit, an e, a sign or a digit, and two digits.
      get(digits),
      ...followedBy(es, 1),
      ...followedBy(digits, 3),
      ...followedBy(digits, 4),
      i32.or,
      tee(found),
      when(get(at), i32.const(-HALF), i32.add, get(found), i32.ctz, i32.add, leave),
    ),
    next(at, LANE, end),
  );
  return { name: "numbers", parameters: 2, numbers: 3, vectors: 1, code: [...forget, step, get(at)] };
}

function digitsAt(at: number, offset: number): Code[] {
  return [get(at), v128.load(CONTEXT + offset), i8x16.all(POINT), i8x16.sub, i8x16.all(NINE - POINT + 1), i8x16.ltU];
}

function esAt(at: number, offset: number): Code[] {
  return [get(at), v128.load(CONTEXT + offset), i8x16.all(CASE_BIT), v128.or, i8x16.all(E), i8x16.eq];
}

/** A bit for each character of the step and of half a step before and behind it. */
function bitsAround(at: number, charactersAt: typeof digitsAt): Code[] {
  const low = [...charactersAt(at, -HALF), i8x16.bitmask];
  const high = [...charactersAt(at, HALF), i8x16.bitmask, i32.const(LANE), i32.shl];
  return [...low, ...high, i32.or];
}

/** Keeps those bits on the stack that have one of `bits` so far behind them. */
function followedBy(bits: number, distance: number): Code[] {
  return [get(bits), i32.const(distance), i32.shrU, i32.and];
}

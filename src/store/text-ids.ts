import { randomInt, randomUUID } from "../base/platform/crypto.ts";
import { createRandom, seedFor } from "../base/random.ts";
import type { IdKind } from "./collection-settings.ts";
import { LETTERS, randomText } from "./ids.ts";

const NANOID_LETTERS = `${LETTERS}_-`;
const NANOID_LENGTH = 21;
/** 95 bits: collisions are out of question, also between processes, so no counter has to be shared. */
const PREFIXED_LENGTH = 16;
/** The ids of one write with the same time of a UUIDv7 (RFC 9562, 12 bits of counter). */
const UUID7_COUNT = 4096;

/** The place of an id among others: with a seed, it depends on nothing else. */
export interface IdPlace {
  readonly collection: string;
  /** The slot of the first record of the write. */
  readonly slot: number;
  /** The ids generated before in the same write. */
  readonly attempt: number;
}

export interface TextIds {
  next(place: IdPlace): string;
  /** Whether no two ids are ever the same, so that there is no need to look whether one is taken. */
  readonly areUnique: boolean;
}

export interface TextIdOptions {
  readonly now: () => number;
  readonly seed: number | undefined;
}

type Below = (limit: number) => number;

/** Generates the ids of a collection whose ids are texts of one kind. */
export function createTextIds(kind: Exclude<IdKind, "increment">, { now, seed }: TextIdOptions): TextIds {
  const randomFor = (place: IdPlace): Below => (seed === undefined ? randomInt : seededBelow(seed, place));
  const next = (place: IdPlace): string => {
    if (kind === "uuid") return seed === undefined ? randomUUID() : uuid4(randomFor(place));
    if (kind === "uuid7") return uuid7(now(), place.attempt, randomFor(place));
    if (kind === "nanoid") return randomText(NANOID_LETTERS, NANOID_LENGTH, randomFor(place));
    return kind.slice("prefix:".length) + randomText(LETTERS, PREFIXED_LENGTH, randomFor(place));
  };
  return { next, areUnique: seed === undefined };
}

function seededBelow(seed: number, { collection, slot, attempt }: IdPlace): Below {
  const random = createRandom(seedFor(seed, `${collection}/${slot}/${attempt}`));
  return (limit) => Math.floor(random() * limit);
}

export function uuid4(below: Below): string {
  return uuid(hexOf(below, 12), `4${hexOf(below, 3)}`, below);
}

/** Sorts by time, and within one write in the order of its records. */
function uuid7(now: number, position: number, below: Below): string {
  const time = Math.max(0, Math.floor(now)) + Math.floor(position / UUID7_COUNT);
  const count = (position % UUID7_COUNT).toString(16).padStart(3, "0");
  return uuid(time.toString(16).padStart(12, "0").slice(-12), `7${count}`, below);
}

function uuid(first: string, third: string, below: Below): string {
  const fourth = `${"89ab"[below(4)]}${hexOf(below, 3)}`;
  return `${first.slice(0, 8)}-${first.slice(8)}-${third}-${fourth}-${hexOf(below, 12)}`;
}

function hexOf(below: Below, digits: number): string {
  return randomText("0123456789abcdef", digits, below);
}

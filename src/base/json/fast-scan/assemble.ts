/**
 * Assembles a WebAssembly module. Only the instructions that the scans need, by their names in the specification. Each is a
 * list of bytes; a function's code is a list of instructions.
 */
export type Code = readonly number[];

const VOID = 0x40;
const I32 = 0x7f;
const V128 = 0x7b;

export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
export const tee = (local: number): Code => [0x22, local];
export const loop = (...body: Code[]): Code => [0x03, VOID, ...body.flat(), 0x0b];
/** Carries out the body if the value on the stack is not zero. */
export const when = (...body: Code[]): Code => [0x04, VOID, ...body.flat(), 0x0b];
/** Returns the value on the stack. */
export const leave: Code = [0x0f];
/** Adds `step` to a local and begins the surrounding loop again, unless the local reaches `end`. */
export const next = (local: number, step: number, end: number): Code =>
  [get(local), i32.const(step), i32.add, tee(local), get(end), i32.ltU, [0x0d, 0]].flat();

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  ltU: [0x49],
  /** The number of zeros below the lowest bit that is set. */
  ctz: [0x68],
  add: [0x6a],
  sub: [0x6b],
  and: [0x71],
  or: [0x72],
  shl: [0x74],
  shrU: [0x76],
} as const;

export const v128 = {
  /** Sixteen bytes at the address on the stack plus `offset`. */
  load: (offset: number): Code => [0xfd, 0x00, 0, offset],
  store: (offset: number): Code => [0xfd, 0x0b, 0, offset],
  and: [0xfd, 0x4e],
  or: [0xfd, 0x50],
  anyTrue: [0xfd, 0x53],
} as const;

export const i8x16 = {
  /** Sixteen times the same byte. */
  all: (byte: number): Code => [0xfd, 0x0c, ...new Array<number>(16).fill(byte)],
  eq: [0xfd, 0x23],
  ltU: [0xfd, 0x26],
  bitmask: [0xfd, 0x64],
  sub: [0xfd, 0x71],
} as const;

export const i16x8 = {
  /** The sums of neighbouring bytes. */
  addPairs: [0xfd, 0x7c],
  add: [0xfd, 0x8e, 0x01],
} as const;

export const i32x4 = {
  /** The sums of neighbouring numbers of 16 bits. */
  addPairs: [0xfd, 0x7e],
  lane: (lane: number): Code => [0xfd, 0x1b, lane],
} as const;

export const i64x2 = { eq: [0xfd, 0xd6, 0x01] } as const;

export interface Procedure {
  readonly name: string;
  /** Numbers that the caller passes: the first locals. */
  readonly parameters: number;
  /** More locals: first the numbers, then the vectors. */
  readonly numbers: number;
  readonly vectors: number;
  /** Leaves a number on the stack. */
  readonly code: readonly Code[];
}

/** A module with one page of memory. Exports it as `memory`, and the procedures by their names. */
export function assemble(procedures: readonly Procedure[]): Uint8Array<ArrayBuffer> {
  const types = procedures.map(({ parameters }) => [0x60, ...list(new Array(parameters).fill([I32])), 1, I32]);
  const exports = procedures.map(({ name }, at) => [...text(name), 0, at]);
  const bodies = procedures.map(({ numbers, vectors, code }) =>
    sized([2, numbers, I32, vectors, V128, ...code.flat(), 0x0b]),
  );
  const section = (id: number, content: readonly number[]): Code => [id, ...sized(content)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(3, list(procedures.map((_, at) => [at]))),
    ...section(5, list([[0, 1]])),
    ...section(7, list([[...text("memory"), 2, 0], ...exports])),
    ...section(10, list(bodies)),
  ]);
}

function text(value: string): Code {
  return sized([...Buffer.from(value)]);
}

function sized(content: readonly number[]): Code {
  return [...unsigned(content.length), ...content];
}

function list(entries: readonly Code[]): Code {
  return [...unsigned(entries.length), ...entries.flat()];
}

/** The numbers of WebAssembly: seven bits per byte, the lowest first; the highest bit of a byte says that more follow. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

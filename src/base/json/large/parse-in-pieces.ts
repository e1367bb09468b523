import type { Work } from "../../slices.ts";
import { type Json, type JsonObject, LARGE_TEXT, parseExact, setField } from "../json.ts";
import { findSyntaxError } from "../json-syntax.ts";
import { cutStringNear } from "./pieces.ts";

export interface ParseOptions {
  /**
   * Called with the members of every container, all or the next few, as a container of their own, before they are used.
   * `depth` is that of the container, from 1; `count` the number of its members so far. May throw.
   */
  readonly inspect: (piece: Json, depth: number, count: number) => void;
  readonly maxDepth: number;
  readonly tooDeep: () => Error;
}

/** Options for texts that are known to be valid. */
const TRUSTING: ParseOptions = {
  inspect() {},
  maxDepth: Number.POSITIVE_INFINITY,
  tooDeep: () => new Error("this is nested too deeply"),
};
/** Characters of a container's members that are parsed together. */
const PIECE = LARGE_TEXT / 4;
/** Thrown to stop parsing; the exact position is found afterwards. */
const NO_JSON = new Error("this is not JSON");
const TOO_DEEP = new Error("this is nested too deeply");

/**
 * Parses JSON with pauses. Finds brackets, commas and strings, and passes the text between them to JSON.parse, some
 * thousand characters at a time. Throws a `JsonSyntaxError`, or the error that `inspect` throws.
 */
export function* parseInPieces(text: string, options: ParseOptions = TRUSTING): Work<Json> {
  try {
    return yield* new Pieces(text, options).run();
  } catch (thrown) {
    if (thrown !== NO_JSON && thrown !== TOO_DEEP) throw thrown;
    const mistake = yield* findSyntaxError(text);
    throw mistake ?? (thrown === TOO_DEEP ? options.tooDeep() : new Error("the text is JSON, but cannot be parsed"));
  }
}

/** An open container. Its text from `start` on is not parsed yet. */
interface Frame {
  readonly isArray: boolean;
  readonly open: number;
  start: number;
  /** The position of the current member. */
  item: number;
  /** The part parsed so far; undefined while it is still a part of its parent's text. */
  value: Json[] | JsonObject | undefined;
  count: number;
  /** The end of a member that was parsed by itself: only white space may follow before the next comma. */
  memberEnd: number | undefined;
}

class Pieces {
  readonly #text: string;
  readonly #options: ParseOptions;
  readonly #frames: Frame[] = [];
  #root: { readonly value: Json; readonly end: number } | undefined;

  constructor(text: string, options: ParseOptions) {
    this.#text = text;
    this.#options = options;
  }

  *run(): Work<Json> {
    const text = this.#text;
    let pauseAt = PIECE;
    for (let at = 0; at < text.length; at++) {
      if (at >= pauseAt) {
        pauseAt = at + PIECE;
        yield;
      }
      const code = text.charCodeAt(at);
      if (code === 0x22) at = (yield* this.#takeString(at)) - 1;
      else if (code === 0x2c) this.#pass(at);
      else if (code === 0x5b || code === 0x7b) this.#enter(at, code === 0x5b);
      else if (code === 0x5d || code === 0x7d) this.#leave(at, code === 0x5d);
    }
    if (this.#frames.length > 0) throw NO_JSON;
    if (this.#root === undefined) this.#end(this.#inspected(parse(text)), text.length);
    const { value, end } = this.#root!;
    if (!isBlank(text.slice(end))) throw NO_JSON;
    return value;
  }

  /** Returns the end of the string that begins here. Parses a long one by itself. */
  *#takeString(start: number): Work<number> {
    const text = this.#text;
    let end = start + 1;
    for (let pauseAt = start + LARGE_TEXT; ; end++) {
      const code = text.charCodeAt(end);
      if (code === 0x22) break;
      if (Number.isNaN(code)) throw NO_JSON;
      if (code === 0x5c) end++;
      if (end < pauseAt) continue;
      pauseAt = end + LARGE_TEXT;
      yield;
    }
    end++;
    // Checked first: the text before this string may be long, and there may be many strings.
    if (end - start <= LARGE_TEXT) return end;
    const frame = this.#frames.at(-1);
    const isKey = frame && !frame.isArray && isBlank(text.slice(frame.item, start));
    if (isKey) return end;
    let value = "";
    for (let at = start + 1; at < end - 1; ) {
      const cut = cutStringNear(text, at, at + LARGE_TEXT, end - 1);
      value += parse(`"${text.slice(at, cut)}"`) as string;
      at = cut;
      yield;
    }
    this.#add(start, end, value);
    return end;
  }

  #enter(at: number, isArray: boolean): void {
    this.#frames.push({
      isArray,
      open: at,
      start: at + 1,
      item: at + 1,
      value: undefined,
      count: 0,
      memberEnd: undefined,
    });
    if (this.#frames.length > this.#options.maxDepth) throw TOO_DEEP;
  }

  #pass(at: number): void {
    const frame = this.#frames.at(-1);
    if (!frame) throw NO_JSON;
    if (frame.memberEnd !== undefined || at - frame.start > PIECE) this.#flush(frame, at);
    frame.item = at + 1;
  }

  #leave(at: number, isArray: boolean): void {
    const frame = this.#frames.at(-1);
    if (!frame || frame.isArray !== isArray) throw NO_JSON;
    if (frame.value !== undefined) this.#flush(frame, at);
    this.#frames.pop();
    if (frame.value !== undefined) this.#add(frame.open, at + 1, frame.value);
    else if (this.#frames.length === 0) this.#end(this.#inspected(parse(this.#text.slice(0, at + 1))), at + 1);
  }

  #inspect(piece: Json, count: number): void {
    this.#options.inspect(piece, this.#frames.length, count);
  }

  #inspected(value: Json): Json {
    this.#options.inspect(value, 1, Array.isArray(value) ? value.length : 0);
    return value;
  }

  #end(value: Json, end: number): void {
    if (this.#root !== undefined) throw NO_JSON;
    this.#root = { value, end };
  }

  /** Adds a member, or the root, that was parsed by itself. */
  #add(start: number, end: number, value: Json): void {
    const frame = this.#frames.at(-1);
    if (!frame) {
      if (!isBlank(this.#text.slice(0, start))) throw NO_JSON;
      this.#end(value, end);
      return;
    }
    if (frame.memberEnd !== undefined) throw NO_JSON;
    if (frame.item > frame.start) this.#take(frame, frame.item - 1);
    frame.value ??= frame.isArray ? [] : {};
    const before = this.#text.slice(frame.item, start);
    if (frame.isArray) {
      if (!isBlank(before)) throw NO_JSON;
      (frame.value as Json[]).push(value);
      this.#inspect([], ++frame.count);
    } else {
      // `null`, because a digit could complete a number before it.
      const named = parse(`{${before}null}`) as JsonObject;
      const [name, more] = Object.keys(named);
      if (name === undefined || more !== undefined) throw NO_JSON;
      this.#inspect(named, ++frame.count);
      setField(frame.value as JsonObject, name, value);
    }
    frame.start = frame.item;
    frame.memberEnd = end;
  }

  /** Parses the remaining text, up to a comma or the end of the container. */
  #flush(frame: Frame, end: number): void {
    if (frame.memberEnd === undefined) this.#take(frame, end);
    else if (!isBlank(this.#text.slice(frame.memberEnd, end))) throw NO_JSON;
    frame.memberEnd = undefined;
    frame.start = end + 1;
  }

  #take(frame: Frame, end: number): void {
    const source = this.#text.slice(frame.start, end);
    // There is an extra comma.
    if (isBlank(source)) throw NO_JSON;
    if (frame.isArray) {
      const members = parse(`[${source}]`) as Json[];
      frame.count += members.length;
      this.#inspect(members, frame.count);
      frame.value ??= [];
      for (const member of members) (frame.value as Json[]).push(member);
    } else {
      const members = parse(`{${source}}`) as JsonObject;
      frame.count += Object.keys(members).length;
      this.#inspect(members, frame.count);
      if (frame.value === undefined) frame.value = members;
      else for (const name of Object.keys(members)) setField(frame.value as JsonObject, name, members[name]!);
    }
  }
}

function parse(source: string): Json {
  try {
    return parseExact(source);
  } catch {
    throw NO_JSON;
  }
}

/** White space of JSON, which is less than that of JavaScript. */
function isBlank(text: string): boolean {
  return !/[^ \t\n\r]/.test(text);
}

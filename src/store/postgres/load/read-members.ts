import { createReadStream } from "node:fs";
import { isJsonObject, type Json } from "../../../base/json/json.ts";
import { isAddressable } from "../../ids.ts";
import { isAside } from "../../memory/state.ts";
import { isTooDeep, tooDeepMessage } from "../../nesting.ts";
import { JsonPieces } from "./json-pieces.ts";
import type { IncomingMember } from "./replace-database.ts";

/** Reads the members of a data file, record by record: the file may be larger than memory. `onProgress` gets the bytes. */
export function readMembers(file: string, onProgress?: (bytes: number) => void): AsyncGenerator<IncomingMember> {
  return membersIn(textOf(file, onProgress));
}

/** The members in the text of a data file, which arrives in pieces. */
export async function* membersIn(text: AsyncIterable<string>): AsyncGenerator<IncomingMember> {
  const pieces = new JsonPieces(text);
  if ((await pieces.peek()) !== "{") throw new Error("the data must be an object with one key per collection.");
  for await (const name of pieces.keys()) {
    if (!isAddressable(name)) throw new Error(`${JSON.stringify(name)} contains half of a surrogate pair.`);
    yield* memberIn(pieces, name);
  }
}

/** The member in a file of its own, record by record, as a folder of files has them. */
export async function* readMember(
  file: string,
  name: string,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<IncomingMember> {
  yield* memberIn(new JsonPieces(textOf(file, onProgress)), name);
}

async function* memberIn(pieces: JsonPieces, name: string): AsyncGenerator<IncomingMember> {
  if ((await pieces.peek()) !== "[" || isAside(name)) {
    yield singleMember(name, await pieces.value());
    return;
  }
  const values = records(pieces, name);
  yield { kind: "collection", name, values };
  // Skip the records that the caller did not read.
  for await (const _rest of values);
}

async function* textOf(file: string, onProgress: (bytes: number) => void = () => {}): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    bytes += (chunk as Buffer).length;
    yield decoder.decode(chunk as Buffer, { stream: true });
    onProgress(bytes);
  }
  yield decoder.decode();
}

async function* records(pieces: JsonPieces, name: string): AsyncGenerator<Json> {
  let position = 0;
  for await (const value of pieces.elements()) {
    if (isTooDeep(value)) throw new Error(tooDeepMessage(value, `${name}[${position}]`));
    yield value;
    position++;
  }
}

function singleMember(name: string, value: Json): IncomingMember {
  if (isTooDeep(value)) throw new Error(tooDeepMessage(value, name));
  if (isAside(name)) return { kind: "aside", name, value };
  if (isJsonObject(value)) return { kind: "singleton", name, value };
  const found = value === null ? "null" : `a ${typeof value}`;
  throw new Error(`"${name}" must be an array (a collection) or an object (a singleton), but is ${found}.`);
}

import { stringifyJson } from "../../../base/json/json.ts";
import { STEP, type Work } from "../../../base/slices.ts";
import { idOf } from "../../ids.ts";
import { Collection } from "../../memory/collection.ts";
import { TOO_LARGE } from "../../memory/history/kept-change.ts";
import type { State, StateMember } from "../../memory/state.ts";
import { positionOf, type StoredRecord } from "../../stored-record.ts";
import { encodeHead, encodeLost, MAX_PAST_LENGTH, type Noted } from "./past-text.ts";

/** The texts of a `PastSwap` without its version. */
export function* exchangeTexts(before: State, after: State, noted: Noted): Work<readonly string[]> {
  return [encodeHead(noted), ...((yield* deltaTexts(before, after)) ?? [encodeLost(TOO_LARGE)])];
}

/** The way from one state back to another; undefined where it is too long. */
function* deltaTexts(before: State, after: State): Work<readonly string[] | undefined> {
  const former = new Map(before.members());
  const present = new Map(after.members());
  const texts = [`,"names":${JSON.stringify([...former.keys()])},"swap":[`];
  let separator = "";
  let length = 0;
  for (const name of new Set([...former.keys(), ...present.keys()])) {
    const [was, is] = [former.get(name), present.get(name)];
    if (was === is) continue;
    texts.push(`${separator}{"name":${JSON.stringify(name)}`);
    const first = texts.length;
    if (was instanceof Collection && is instanceof Collection) yield* scriptTexts(was, is, texts);
    else if (was) yield* contentTexts(was, texts);
    texts.push("}");
    separator = ",";
    for (const text of texts.slice(first)) length += text.length;
    if (length > MAX_PAST_LENGTH) return undefined;
  }
  texts.push("]");
  return texts;
}

function* contentTexts(member: StateMember, texts: string[]): Work<void> {
  if (!(member instanceof Collection)) {
    texts.push(`,"was":${member.kind === "singleton" ? member.record.text : stringifyJson(member.value)}`);
    return;
  }
  texts.push(',"was":[');
  for (const [position, { text }] of member.records.entries()) {
    texts.push(position === 0 ? text : `,${text}`);
    if (position % STEP === STEP - 1) yield;
  }
  texts.push("]");
}

/** Records that are the same on both sides, in the same order, are parts; all others are written out. */
function* scriptTexts(was: Collection, is: Collection, texts: string[]): Work<void> {
  const same = new Map<number, number>();
  const gone: StoredRecord[] = [];
  let last = -1;
  for (const [position, record] of is.records.entries()) {
    const former = formerOf(was, record, is.idKey);
    const at = former ? positionOf(was.records, former.slot) : -1;
    if (former && at > last && (former === record || former.text === record.text)) {
      same.set(at, position);
      last = at;
    } else gone.push(record);
    if (position % STEP === STEP - 1) yield;
  }
  texts.push(',"script":[');
  let separator = "";
  let part: { from: number; count: number } | undefined;
  const endPart = (): void => {
    if (part) texts.push(`${separator}[${part.from},${part.count}]`);
    if (part) separator = ",";
    part = undefined;
  };
  for (const [position, { text }] of was.records.entries()) {
    const from = same.get(position);
    if (from === undefined) {
      endPart();
      texts.push(`${separator}{"r":${text}}`);
      separator = ",";
    } else if (part && part.from + part.count === from) part.count++;
    else {
      endPart();
      part = { from, count: 1 };
    }
    if (position % STEP === STEP - 1) yield;
  }
  endPart();
  texts.push('],"gone":[');
  for (const [position, { text }] of gone.entries()) texts.push(position === 0 ? text : `,${text}`);
  texts.push("]");
}

/** A record without an id is known by its place. */
function formerOf(was: Collection, { value, slot }: StoredRecord, idKey: string): StoredRecord | undefined {
  const id = idOf(value, idKey);
  if (id !== undefined) return was.get(id);
  const at = positionOf(was.records, slot);
  return was.records[at]?.slot === slot ? was.records[at] : undefined;
}

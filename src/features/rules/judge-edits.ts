import { StandinError } from "../../base/errors.ts";
import { STEP, settled, type Work } from "../../base/slices.ts";
import { within } from "../../schema/pointer.ts";
import { comparedText, dangling, duplicate, fieldOf } from "../../schema/rules/comparison.ts";
import { RuleBook } from "../../schema/rules/rule-book.ts";
import { MAX_VIOLATIONS, type Violation } from "../../schema/rules/violation.ts";
import { idOf } from "../../store/ids.ts";
import { keyTexts } from "../../store/key-texts.ts";
import { type JudgedState, PendingRecords, type RecordRules, type WriteInQuestion } from "../../store/record-rules.ts";
import type { Edit, Lenience, MayRead } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";

/** A violation of one of several records. */
interface Finding extends Violation {
  /** The position of its record in an array. */
  readonly index?: number;
}

/** Judges the records that a write would leave by all rules. Throws if it must not happen. */
export function judgeEdits(
  state: JudgedState,
  edits: readonly Edit[],
  rules: RuleBook,
  write: WriteInQuestion,
): Work<void> | undefined {
  return edits.some(({ name }) => rules.isRelational(name))
    ? judgeTogether(state, edits, rules, write)
    : judgeAlone(edits, rules, write.lenience);
}

/** Judges them by their schemas alone. Hot path: a single record needs no pauses. */
export function judgeAlone(
  edits: readonly Edit[],
  rules: RuleBook,
  lenience: Lenience | undefined,
): Work<void> | undefined {
  if (edits.length === 0) return undefined;
  if (edits.length > 1) return judgeEach(edits, rules, lenience);
  const findings: Finding[] = [];
  judgeOne(edits, 0, { rules, lenience, findings });
  refuseInvalid(edits, findings);
  return undefined;
}

function* judgeEach(edits: readonly Edit[], rules: RuleBook, lenience: Lenience | undefined): Work<void> {
  refuseInvalid(edits, yield* findInvalid(edits, rules, lenience));
}

function* judgeTogether(
  state: JudgedState,
  edits: readonly Edit[],
  rules: RuleBook,
  { lenience, mayRead = everything }: WriteInQuestion,
): Work<void> {
  const findings = yield* findInvalid(edits, rules, lenience);
  for (;;) {
    try {
      note(findings, yield* findConflicts(state, edits, rules, mayRead), undefined);
      break;
    } catch (thrown) {
      if (!(thrown instanceof PendingRecords)) throw thrown;
      yield* settled(thrown.done);
    }
  }
  refuseInvalid(edits, findings, state);
}

interface Judging {
  readonly rules: RuleBook;
  readonly lenience: Lenience | undefined;
  readonly findings: Finding[];
}

function judgeOne(edits: readonly Edit[], at: number, { rules, lenience, findings }: Judging): void {
  const { name, after } = edits[at]!;
  const violations = after && rules.judgeOf(name)?.(after.value);
  if (!violations || violations.length === 0) return;
  if (lenience) for (const { pointer, rule } of violations) lenience.broken.add(`${name}${pointer} ${rule}`);
  else note(findings, violations, edits.length > 1 ? at : undefined);
}

function* findInvalid(edits: readonly Edit[], rules: RuleBook, lenience: Lenience | undefined): Work<Finding[]> {
  const findings: Finding[] = [];
  for (let at = 0; at < edits.length && findings.length < MAX_VIOLATIONS; at++) {
    judgeOne(edits, at, { rules, lenience, findings });
    // A record may take long to judge.
    if (edits.length > 1) yield;
  }
  return findings;
}

function note(findings: Finding[], violations: readonly Violation[], index: number | undefined): void {
  for (const violation of violations) {
    if (findings.length === MAX_VIOLATIONS) return;
    findings.push(index === undefined ? violation : { index, ...violation });
  }
}

function refuseInvalid(edits: readonly Edit[], findings: readonly Finding[], state?: JudgedState): void {
  const [first] = findings;
  if (!first) return;
  const { name, before } = edits[first.index ?? 0]!;
  // A write by filter says which record it cannot change.
  const idKey = state?.collection(name)?.idKey;
  const id = before && idKey !== undefined ? idOf(before.value, idKey) : undefined;
  const rest = findings.length === 1 ? "" : ` There are ${findings.length} violations in all.`;
  throw new StandinError(
    "RECORD_INVALID",
    `${name}${id === undefined ? "" : `/${id}`}: ${first.pointer === "" ? "the record" : first.pointer} ${first.message}.${rest} Nothing was changed.`,
    {},
    { errors: findings },
  );
}

/** Finds values that are not unique and references that lead nowhere; throws if a removed record is still needed. */
function* findConflicts(
  state: JudgedState,
  edits: readonly Edit[],
  rules: RuleBook,
  mayRead: MayRead,
): Work<Finding[]> {
  const byName = new Map<string, PlacedEdit[]>();
  for (const [index, edit] of edits.entries()) {
    const known = byName.get(edit.name);
    if (known) known.push({ index, edit });
    else byName.set(edit.name, [{ index, edit }]);
  }
  const all: AllEdits = { state, byName, isMany: edits.length > 1, mayRead };
  const conflicts: Finding[] = [];
  for (const [name, placed] of byName) {
    for (const { collection, field } of rules.holdersOf(name)) refuseHeld(all, name, { collection, field });
    const collectionRules = rules.of(name);
    if (!collectionRules) continue;
    for (const field of collectionRules.unique) yield* findDuplicates(all, { name, placed, field }, conflicts);
    for (const [field, { collection }] of Object.entries(collectionRules.references)) {
      yield* findDangling(all, { placed, field, collection }, conflicts);
    }
  }
  return conflicts;
}

interface PlacedEdit {
  readonly index: number;
  readonly edit: Edit;
}

interface AllEdits {
  readonly state: JudgedState;
  readonly byName: ReadonlyMap<string, readonly PlacedEdit[]>;
  readonly isMany: boolean;
  readonly mayRead: MayRead;
}

const everything: MayRead = () => true;

interface FieldEdits {
  readonly placed: readonly PlacedEdit[];
  readonly field: string;
}

/** 1 and "1" are the same value, as for filters and ids. Null, objects and arrays are never duplicates. */
function* findDuplicates(
  { state, isMany, mayRead }: AllEdits,
  { name, placed, field }: FieldEdits & { readonly name: string },
  conflicts: Finding[],
): Work<void> {
  const wanted = placed.flatMap(({ index, edit }) => {
    const record = edit.after;
    const value = record && fieldOf(record.value, field);
    const text = comparedText(value);
    return !record || value === undefined || text === undefined ? [] : [{ index, text, value, record }];
  });
  const collection = state.collection(name);
  // Ids are unique without a rule.
  if (wanted.length === 0 || !collection || field === collection.idKey) return;
  const rewritten = new Set(placed.map(({ edit }) => recordIn(edit).slot));
  const owners = new Map<string, StoredRecord>();
  for (const record of collection.holding(field, [...new Set(wanted.map(({ text }) => text))])) {
    const value = rewritten.has(record.slot) ? undefined : fieldOf(record.value, field);
    const text = comparedText(value);
    if (text !== undefined && !owners.has(text)) owners.set(text, record);
  }
  for (const [at, { index, text, value, record }] of wanted.entries()) {
    const owner = owners.get(text);
    if (owner) {
      const id = mayRead(name, owner) ? idOf(owner.value, collection.idKey) : undefined;
      note(conflicts, [duplicate({ name, field, value }, id)], isMany ? index : undefined);
    } else owners.set(text, record);
    if (at % STEP === STEP - 1) yield;
  }
}

function* findDangling(
  { state, byName, isMany, mayRead }: AllEdits,
  { placed, field, collection }: FieldEdits & { readonly collection: string },
  conflicts: Finding[],
): Work<void> {
  const wanted = placed.flatMap(({ index, edit }) => {
    const value = edit.after && fieldOf(edit.after.value, field);
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) return [{ index, edit, pointer: within("", field), value }];
    return value.map((element, at) => ({ index, edit, pointer: `${within("", field)}/${at}`, value: element }));
  });
  if (wanted.length === 0) return;
  const target = state.collection(collection);
  const ids = new Set<string>();
  for (const { value } of wanted) {
    const text = comparedText(value);
    if (text !== undefined) ids.add(text);
  }
  const present = new Set(target?.existing([...ids]));
  for (const { edit } of byName.get(collection) ?? []) {
    const id = target && idOf(recordIn(edit).value, target.idKey);
    if (id === undefined) continue;
    if (edit.after) present.add(String(id));
    else present.delete(String(id));
  }
  /** A reference that stays tells nothing new. */
  const isHidden = (text: string, { before }: Edit): boolean => {
    const record = target?.get(text);
    if (!record || mayRead(collection, record)) return false;
    return !before || !keyTexts(before.value, { field, isList: true }).includes(text);
  };
  for (const [at, { index, edit, pointer, value }] of wanted.entries()) {
    const text = comparedText(value);
    if (text === undefined || !present.has(text) || isHidden(text, edit)) {
      note(conflicts, [dangling(pointer, collection, value)], isMany ? index : undefined);
    }
    if (at % STEP === STEP - 1) yield;
  }
}

/** The record that an edit is about: it has one before, after, or both. */
function recordIn({ before, after }: Edit): StoredRecord {
  return (after ?? before)!;
}

/** Throws if records that stay refer to one that is removed. */
function refuseHeld(
  { state, byName, mayRead }: AllEdits,
  name: string,
  { collection, field }: { collection: string; field: string },
): void {
  const target = state.collection(name);
  const removed = new Set(
    (byName.get(name) ?? []).flatMap(({ edit }) => {
      const id = edit.after || !target ? undefined : idOf(recordIn(edit).value, target.idKey);
      return id === undefined ? [] : [String(id)];
    }),
  );
  const holding = removed.size === 0 ? undefined : state.collection(collection);
  if (!holding) return;
  const rewritten = new Set((byName.get(collection) ?? []).map(({ edit }) => recordIn(edit).slot));
  const refersToRemoved = ({ slot, value }: StoredRecord): boolean => {
    const held = rewritten.has(slot) ? undefined : fieldOf(value, field);
    const values = Array.isArray(held) ? held : [held ?? null];
    return values.some((one) => removed.has(comparedText(one) ?? ""));
  };
  const holders = holding.holding(field, [...removed]).filter(refersToRemoved);
  if (holders.length === 0) return;
  const shown = holders.filter((record) => mayRead(collection, record));
  const id = shown[0] && idOf(shown[0].value, holding.idKey);
  const [removedId] = removed;
  const which = removed.size === 1 ? `${name}/${removedId}` : `A record of ${name}`;
  const isOne = shown.length === 1 && holders.length === 1;
  const count = isOne ? "1 record" : shown.length < holders.length ? "records" : `${holders.length} records`;
  throw new StandinError(
    "RECORD_REFERENCED",
    `${which} cannot be removed: ${count} of ${collection} ${isOne ? "refers" : "refer"} to it by ` +
      `${field}${id === undefined ? "" : `, such as ${collection}/${id}`}. Nothing was changed.`,
  );
}

/** The rules in force, as stores judge writes by them. */
export class JudgingRules extends RuleBook implements RecordRules {
  judge(state: JudgedState, edits: readonly Edit[], write: WriteInQuestion): Work<void> | undefined {
    return judgeEdits(state, edits, this, write);
  }

  judgeAlone(edits: readonly Edit[], lenience: Lenience | undefined): Work<void> | undefined {
    return judgeAlone(edits, this, lenience);
  }
}

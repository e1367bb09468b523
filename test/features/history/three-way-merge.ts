/** All data, as `/db` shows it. */
export type Database = Readonly<Record<string, unknown>>;

type Value = Readonly<Record<string, unknown>>;

interface ThreeStates {
  /** After the change. */
  readonly base: Database;
  /** Before it. */
  readonly earlier: Database;
  readonly now: Database;
}

/**
 * The data without a change of records, by the book: every record that the change touched goes back to what it was before
 * it. Undefined where one has changed again, unless `fields` lets all others be.
 */
export function naiveRevert(states: ThreeStates, fields: boolean): Database | undefined {
  const merged: Record<string, unknown> = {};
  for (const [name, now] of Object.entries(states.now)) {
    const { base, earlier } = { base: states.base[name], earlier: states.earlier[name] };
    const member = Array.isArray(now)
      ? revertList({ base: listOf(base), earlier: listOf(earlier), now: listOf(now) }, fields)
      : revertValue({ base: base as Value, earlier: earlier as Value, now: now as Value }, fields);
    if (member === "conflict") return undefined;
    merged[name] = member;
  }
  return merged;
}

function listOf(member: unknown): readonly Value[] {
  return Array.isArray(member) ? (member as Value[]) : [];
}

function revertList(
  { base, earlier, now }: { base: readonly Value[]; earlier: readonly Value[]; now: readonly Value[] },
  fields: boolean,
): unknown[] | "conflict" {
  const at = (list: readonly Value[], id: unknown): Value | undefined => list.find((one) => one.id === id);
  const result: Value[] = [];
  for (const record of now) {
    const value = revertValue({ base: at(base, record.id), earlier: at(earlier, record.id), now: record }, fields);
    if (value === "conflict") return "conflict";
    if (value) result.push(value);
  }
  for (const [position, record] of earlier.entries()) {
    const left = at(base, record.id);
    if (at(now, record.id) || textOf(left) === textOf(record)) continue;
    if (left) return "conflict";
    // Behind the last of those in front of it that are still there, and behind others between them with smaller ids.
    const front = earlier.slice(0, position).findLast(({ id }) => at(result, id));
    let place = front ? result.findIndex(({ id }) => id === front.id) + 1 : 0;
    while (place < result.length && !at(earlier, result[place]?.id) && Number(result[place]?.id) < Number(record.id))
      place++;
    result.splice(place, 0, record);
  }
  return result;
}

function revertValue(
  { base, earlier, now }: { base: Value | undefined; earlier: Value | undefined; now: Value | undefined },
  fields: boolean,
): Value | "conflict" | undefined {
  if (textOf(base) === textOf(earlier) || textOf(now) === textOf(earlier)) return now;
  if (textOf(now) === textOf(base)) return earlier;
  if (!fields || !base || !earlier || !now) return "conflict";
  const merged = { ...now };
  for (const field of new Set([...Object.keys(base), ...Object.keys(earlier)])) {
    if (textOf(base[field]) === textOf(earlier[field]) || textOf(now[field]) === textOf(earlier[field])) continue;
    if (textOf(now[field]) !== textOf(base[field])) return "conflict";
    if (field in earlier) merged[field] = earlier[field];
    else delete merged[field];
  }
  return merged;
}

function textOf(value: unknown): string | undefined {
  return JSON.stringify(value);
}

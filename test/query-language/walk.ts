import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../src/base/json/json.ts";
import { parseParameters, readQuery } from "../../src/query/parse-query.ts";
import type { Store, Write } from "../../src/store/store.ts";
import type { Random } from "../compat/random.ts";
import { Generator, ODD_FIELDS } from "./generate.ts";
import { consult, valueAt } from "./oracle.ts";
import type { Question } from "./question.ts";
import { Speller, toSearch } from "./spelling.ts";

/** One walk: `wrong` records did not match, `missed` ones were there all the time, `twice` should be empty, too. */
export interface WalkReport {
  readonly asked: string;
  readonly pages: number;
  readonly writes: number;
  readonly twice: readonly unknown[];
  readonly missed: readonly unknown[];
  readonly wrong: readonly unknown[];
}

/** A walk through the pages of a random question, with random writes between the pages. */
export async function walkUnderWrites(
  open: (records: JsonObject[]) => Promise<Store>,
  random: Random,
  count: number,
): Promise<WalkReport> {
  const generator = new Generator(random);
  const records = generator.records(count).map(withoutOddFields);
  const store = await open(structuredClone(records));
  const { question, asked } = questionOf(generator, random, records);
  const meets = (record: JsonObject): boolean => consult([record], question).total === 1;
  const keysOf = (record: JsonObject) => question.sort.map(({ path }) => valueAt(record, path));
  const stayed = new Map(records.filter(meets).map((record) => [record.id, keysOf(record)]));
  /** Records that got other keys, so that they may be met on both sides of the cursor, or on neither. */
  const moved = new Set<unknown>();
  const met: JsonObject[] = [];
  const wrong: unknown[] = [];
  let pages = 0;
  let writes = 0;
  for (let after: string | undefined = ""; after !== undefined; ) {
    const query = await readQuery(store, "things", parseParameters(`${asked}&_after=${after}`));
    const found = await store.find("things", query);
    const page = found.records.map(({ value }) => value as JsonObject);
    wrong.push(...page.filter((record) => !meets(record)).map(({ id }) => id));
    met.push(...page);
    after = found.next;
    pages++;
    for (let left = random.int(0, 3); left > 0; left--) {
      const { before, after: written } = await writeTo(store, records, { random, generator });
      writes++;
      const id = (before ?? written)!.id;
      if (!written || !meets(written)) stayed.delete(id);
      if (!before || !written || isDeepStrictEqual(keysOf(before), keysOf(written))) continue;
      stayed.delete(id);
      moved.add(id);
    }
  }
  const ids = met.map(({ id }) => id);
  return {
    asked,
    pages,
    writes,
    wrong,
    twice: ids.filter((id, at) => ids.indexOf(id) !== at && !moved.has(id)),
    missed: [...stayed.keys()].filter((id) => !ids.includes(id)),
  };
}

/** A question whose meaning no write can change: a field that comes or goes may give a parameter another one. */
function questionOf(generator: Generator, random: Random, records: readonly JsonObject[]) {
  for (;;) {
    const { where, sort, search } = generator.question(records);
    const question: Question = { where: where.slice(0, 1), sort, search: random.chance(0.2) ? search : "" };
    const pairs = new Speller(random, () => false).spell({
      ...question,
      part: { kind: "walk", size: random.int(2, 8) },
    });
    if (pairs && consult(records, question).total > records.length / 3) return { question, asked: toSearch(pairs) };
  }
}

interface Chance {
  readonly random: Random;
  readonly generator: Generator;
}

async function writeTo(store: Store, records: JsonObject[], { random, generator }: Chance) {
  const target = records.length > 0 ? random.pick(records) : undefined;
  const kind = target ? random.pick(["create", "create", "replace", "patch", "remove"] as const) : "create";
  const id = String(target?.id);
  const write: Write =
    kind === "create"
      ? { kind, collection: "things", bodies: [withoutOddFields(generator.record())] }
      : kind === "remove"
        ? { kind, collection: "things", id, dependents: [] }
        : { kind, collection: "things", id, body: withoutOddFields(generator.body()) };
  const [edit] = (await store.apply(write)).edits;
  const [before, after] = [edit?.before?.value as JsonObject | undefined, edit?.after?.value as JsonObject | undefined];
  const at = before ? records.findIndex((record) => record.id === before.id) : records.length;
  records.splice(at, before ? 1 : 0, ...(after ? [after] : []));
  return { before, after };
}

/** Nor a field named like an operator, at any depth. */
function withoutOddFields(record: JsonObject): JsonObject {
  const isKept = (name: string): boolean => !ODD_FIELDS.includes(name) && name !== "in";
  return JSON.parse(JSON.stringify(record, (name, value) => (isKept(name) ? value : undefined))) as JsonObject;
}

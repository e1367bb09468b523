import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StandinError } from "../../src/base/errors.ts";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { parsePath } from "../../src/query/path.ts";
import { type Id, idOf } from "../../src/store/ids.ts";
import { type PlannedCollection, planChange } from "../../src/store/memory/plan-change.ts";
import { State } from "../../src/store/memory/state.ts";
import type { Change, SingleWrite } from "../../src/store/store.ts";
import { expectEqual } from "../support/expect-equal.ts";

/** `npm run soak` tries more. */
const RUNS = process.env.STANDIN_SOAK ? 10_000 : 200;

/** The model for a State: plain arrays, copied before every write. */
type Model = Record<string, Json[]>;

/** One line of history: a state, what it should hold, and what can be taken back. */
interface Side {
  readonly state: State;
  model: Model;
  readonly done: { change: Change; before: Model }[];
}

function newIdIn(collection: PlannedCollection): Id {
  return collection.newIds()(Number.NEGATIVE_INFINITY, (id) => collection.get(id) !== undefined);
}

const NAMES = ["companies", "products"] as const;
/** Few ids, some of them one another's text, so that they collide often. */
const IDS: Json[] = [1, 2, 5, "1", "2", "6", "a", 2.5, -1];
const ABSENT: Json[] = [0, null, ""];
const FIELDS = ["v", "w"] as const;

const field = fc.constantFrom(...FIELDS);
const name = fc.constantFrom(...NAMES);
const fields = fc.dictionary(field, fc.integer({ min: 0, max: 9 }), { maxKeys: 2 });
const keys = fc.record({ company_id: fc.constantFrom<Json>(1, "2", "a", null) }, { requiredKeys: [] });
const body = fc
  .tuple(fields, keys, fc.option(fc.constantFrom(...IDS, ...ABSENT), { nil: undefined, freq: 2 }))
  .map(([own, key, id]): JsonObject => ({ ...own, ...key, ...(id === undefined ? {} : { id }) }));

type Step =
  | { kind: "create"; name: string; bodies: JsonObject[] }
  | { kind: "replace" | "patch"; name: string; id: string; body: JsonObject }
  | { kind: "remove"; name: string; id: string; dependents: string[] }
  | { kind: "undo" }
  | { kind: "fork" };

const id = fc.constantFrom(...IDS.map(String), "4", "7");
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("create" as const), name, bodies: fc.array(body, { maxLength: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("replace" as const, "patch" as const), name, id, body }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("remove" as const),
      name,
      id,
      dependents: fc.array(name, { maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: "undo" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "fork" as const }) },
);

/** A removal taken back where the id was there twice: the first is addressable again, and is counted once. */
const UNDONE_DUPLICATES: [{ companies: JsonObject[]; products: JsonObject[] }, [number, Step][]][] = [
  [
    { companies: [], products: [{ id: "1" }, { id: 1 }] },
    [
      [0, { kind: "remove", name: "products", id: "1", dependents: [] }],
      [0, { kind: "undo" }],
    ],
  ],
  [
    {
      companies: [{ id: 1 }],
      products: [
        { id: 5, v: 1 },
        { id: 5, v: 2, company_id: 1 },
      ],
    },
    [
      [0, { kind: "remove", name: "companies", id: "1", dependents: ["products"] }],
      [0, { kind: "undo" }],
    ],
  ],
];

describe("a State and the forks of it hold what a plain array would", () => {
  const loaded = fc.tuple(body, fc.constantFrom(...IDS)).map(([own, each]): JsonObject => ({ id: each, ...own }));
  const database = fc.record({
    companies: fc.array(loaded, { maxLength: 6 }),
    products: fc.array(loaded, { maxLength: 6 }),
  });
  const steps = fc.array(fc.tuple(fc.nat(3), step), { maxLength: 40 });

  test("after any sequence of writes, undos and forks, on every side", () => {
    fc.assert(
      fc.property(database, steps, (start, sequence) => {
        const sides: Side[] = [
          { state: State.load(structuredClone(start), "id"), model: structuredClone(start), done: [] },
        ];
        for (const [which, each] of sequence) {
          const side = sides[which % sides.length]!;
          if (each.kind === "fork") sides.push({ state: side.state.fork(), model: side.model, done: [] });
          else if (each.kind === "undo") undo(side);
          else write(side, each);
          for (const one of sides) expectSame(one);
        }
      }),
      { numRuns: RUNS, examples: UNDONE_DUPLICATES },
    );
  });
});

function undo(side: Side): void {
  const last = side.done.pop();
  if (!last) return;
  const { version } = side.state;
  side.state.undo(last.change);
  side.model = last.before;
  expect(side.state.version).toBeGreaterThan(version);
}

function write(side: Side, step: Exclude<Step, { kind: "undo" | "fork" }>): void {
  const before = side.model;
  const after = structuredClone(before);
  const refusal = applyToModel(after, step);
  let change: Change;
  try {
    change = planChange(side.state, writeOf(step));
  } catch (thrown) {
    expect((thrown as StandinError).code).toBe(refusal ?? "nothing was to be refused");
    return;
  }
  expect(refusal).toBeUndefined();
  if (step.kind === "create") takeNewIds(before[step.name]!, after[step.name]!, change, step.bodies);
  const { version } = side.state;
  side.state.commit(change);
  expect(side.state.version).toBeGreaterThan(version);
  side.model = after;
  side.done.push({ change, before });
}

function writeOf(step: Exclude<Step, { kind: "undo" | "fork" }>): SingleWrite {
  switch (step.kind) {
    case "create":
      return { kind: "create", collection: step.name, bodies: step.bodies };
    case "remove":
      return {
        kind: "remove",
        collection: step.name,
        id: step.id,
        dependents: step.dependents.map((collection) => ({ collection, key: "company_id" })),
      };
    default:
      return { kind: step.kind, collection: step.name, id: step.id, body: step.body };
  }
}

/** Does to plain arrays what the write should do; gives back the code with which it should be refused instead. */
function applyToModel(model: Model, step: Exclude<Step, { kind: "undo" | "fork" }>): string | undefined {
  const records = model[step.name]!;
  if (step.kind === "create") {
    for (const each of step.bodies) {
      const wanted = wantedId(each);
      if (wanted !== undefined && find(records, String(wanted)) !== -1) return "ID_TAKEN";
      records.push({ ...each });
    }
    return undefined;
  }
  const at = find(records, step.id);
  if (at === -1) return "RECORD_NOT_FOUND";
  const old = records[at] as JsonObject;
  if (step.kind === "replace") records[at] = { ...step.body, id: old.id! };
  else if (step.kind === "patch") records[at] = { ...old, ...step.body, id: old.id! };
  else if ("dependents" in step) {
    records.splice(at, 1);
    for (const dependent of step.dependents) {
      model[dependent] = model[dependent]!.filter((record) => !refersTo(record as JsonObject, step.id));
    }
  }
  return undefined;
}

/** New ids are the State's to choose: checks them against the rules, and puts them into the model. */
function takeNewIds(before: Json[], after: Json[], { edits }: Change, bodies: readonly JsonObject[]): void {
  expect(edits).toHaveLength(bodies.length);
  const brought = bodies.map(wantedId);
  for (const [position, edit] of edits.entries()) {
    const chosen = idOf(edit.after!.value, "id")!;
    const record = after[before.length + position] as JsonObject;
    if (brought[position] === undefined) {
      const others = edits.filter((other) => other !== edit).map((other) => String(idOf(other.after!.value, "id")));
      expect([...addressable(before).map(String), ...others]).not.toContain(String(chosen));
      expectNewId(chosen, before, brought);
    }
    record.id = chosen;
  }
}

/** Above every integer id there is or was brought along; a text where all ids there are are texts. */
function expectNewId(chosen: Json, before: Json[], brought: readonly (Json | undefined)[]): void {
  const present = addressable(before);
  if (present.length > 0 && present.every((each) => typeof each === "string")) {
    expect(chosen).toMatch(/^\w{7}$/);
    return;
  }
  expect(Number.isSafeInteger(chosen)).toBe(true);
  const integers = [...present, ...brought].filter((each): each is number => Number.isInteger(each));
  if (integers.length > 0) expect(chosen).toBeGreaterThan(Math.max(...integers));
  else expect(chosen).toBeGreaterThanOrEqual(1);
  expect(chosen).not.toBe(0);
}

/** One comparison per collection, because thousands of them are made. */
function expectSame({ state, model }: Side): void {
  for (const each of NAMES) {
    const collection = state.collection(each)!;
    const records = model[each]!;
    const texts = [...IDS.map(String), "4", "7"];
    const present = addressable(records);
    const given = {
      values: collection.records.map(({ value }) => value),
      text: collection.records.map(({ text }) => text).join(),
      positions: texts.map((text) => collection.records.indexOf(collection.get(text)!)),
      paths: FIELDS.map((path) => collection.hasPath(parsePath(path))),
      hasNumberIds: collection.hasNumberIds,
    };
    const expected = {
      values: records,
      text: records.map((record) => JSON.stringify(record)).join(),
      positions: texts.map((text) => find(records, text)),
      paths: FIELDS.map((path) => records.some((record) => path in (record as JsonObject))),
      hasNumberIds: present.length === 0 || present.some((one) => typeof one === "number"),
    };
    expectEqual(given, expected);
  }
}

/** The ids that lead to a record: of several with one text, the first. */
function addressable(records: readonly Json[]): Json[] {
  const ids = new Map<string, Json>();
  for (const record of records) {
    const one = idOf(record, "id");
    if (one !== undefined && !ids.has(String(one))) ids.set(String(one), one);
  }
  return [...ids.values()];
}

function wantedId(each: JsonObject): Json | undefined {
  return each.id === undefined || ABSENT.includes(each.id) ? undefined : each.id;
}

function find(records: readonly Json[], text: string): number {
  return records.findIndex((record) => {
    const one = idOf(record, "id");
    return one !== undefined && one !== 0 && String(one) === text;
  });
}

function refersTo(record: JsonObject, text: string): boolean {
  return record.company_id !== undefined && record.company_id !== null && String(record.company_id) === text;
}

describe("fork", () => {
  const load = () => State.load({ products: [{ id: 1 }, { id: 2 }, { id: 3 }], profile: { open: true } }, "id");
  const remove = (state: State, which: string) =>
    state.commit(planChange(state, { kind: "remove", collection: "products", id: which, dependents: [] }));
  const idsOf = (state: State) => state.collection("products")!.records.map(({ value }) => idOf(value, "id"));

  test("several forks, and the one they came from, go their own ways", () => {
    const first = load();
    const [second, third] = [first.fork(), first.fork()];
    remove(first, "1");
    remove(second, "2");
    const fourth = second.fork();
    remove(fourth, "3");
    remove(second, "1");
    expect([first, second, third, fourth].map(idsOf)).toEqual([[2, 3], [3], [1, 2, 3], [1]]);
    expect([first, second, third, fourth].map((state) => state.collection("products")!.get("2") !== undefined)).toEqual(
      [true, false, true, false],
    );
  });

  test("a singleton belongs to its side, too", () => {
    const first = load();
    const second = first.fork();
    first.commit(planChange(first, { kind: "patch-singleton", name: "profile", body: { open: false } }));
    expect([first, second].map((state) => state.singleton("profile")!.value)).toEqual([
      { open: false },
      { open: true },
    ]);
  });

  test("has its own epoch, so that no ETag of one side is valid on the other", () => {
    const first = load();
    expect(first.fork().epoch).not.toBe(first.epoch);
  });

  test("of a fork of a fork, a thousand deep, still finds every record", () => {
    let state = load();
    for (let deep = 0; deep < 1000; deep++) {
      state = state.fork();
      state.commit(planChange(state, { kind: "create", collection: "products", bodies: [{}] }));
    }
    expect(idsOf(state)).toHaveLength(1003);
    expect(state.collection("products")!.get("1003")).toBeDefined();
    expect(newIdIn(state.collection("products")!)).toBe(1004);
  });
});

describe("undo", () => {
  const cases: [name: string, write: SingleWrite][] = [
    ["a creation", { kind: "create", collection: "products", bodies: [{}, { id: "x" }] }],
    ["a replacement", { kind: "replace", collection: "products", id: "2", body: { a: 1 } }],
    ["a merge", { kind: "patch", collection: "products", id: "1", body: { a: 1 } }],
    ["a removal in the middle", { kind: "remove", collection: "products", id: "2", dependents: [] }],
    [
      "a removal with dependents",
      { kind: "remove", collection: "companies", id: "1", dependents: [{ collection: "products", key: "company_id" }] },
    ],
    ["a change to a singleton", { kind: "replace-singleton", name: "profile", body: {} }],
  ];
  for (const [title, change] of cases) {
    test(`takes ${title} back: data, order and ids as before, the version ahead`, () => {
      const state = State.load(
        {
          products: [{ id: 1, company_id: 1 }, { id: 2 }, { id: 3, company_id: 1 }, { id: 1, company_id: 1 }],
          companies: [{ id: 1 }],
          profile: { open: true },
        },
        "id",
      );
      const before = exported(state);
      const planned = planChange(state, change);
      state.commit(planned);
      expect(exported(state)).not.toBe(before);
      const { version } = state;
      state.undo(planned);
      expect(exported(state)).toBe(before);
      expect(state.version).toBeGreaterThan(version);
      const products = state.collection("products")!;
      expect(products.get("1")).toBe(products.records[0]);
      expect(newIdIn(products)).toBe(4);
    });
  }
});

test("planning changes nothing", () => {
  const state = State.load({ products: [{ id: 1 }] }, "id");
  const before = exported(state);
  planChange(state, { kind: "create", collection: "products", bodies: [{}, {}] });
  planChange(state, { kind: "remove", collection: "products", id: "1", dependents: [] });
  expect(() => planChange(state, { kind: "create", collection: "products", bodies: [{}, { id: 1 }] })).toThrow(
    StandinError,
  );
  expect([exported(state), state.version]).toEqual([before, 1]);
});

test("a load warns of ids that are missing or doubled", () => {
  const warnings: string[] = [];
  State.load({ products: [{ id: 1 }, { id: "1" }, {}, { id: null }, 5] }, "id", {
    warn: (text) => warnings.push(text),
  });
  expect(warnings).toEqual([
    expect.stringMatching(/"1".*more than once/),
    expect.stringMatching(/3 records have no usable "id"/),
  ]);
});

/** Everything a State holds, as one text. */
function exported(state: State): string {
  return JSON.stringify(
    [...state.members()].map(([each, member]) => [
      each,
      "records" in member
        ? member.records.map(({ value }) => value)
        : member.kind === "singleton"
          ? member.record.value
          : null,
    ]),
  );
}

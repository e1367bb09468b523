import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Json } from "../../src/base/json/json.ts";
import { parseParameters, parseQuery } from "../../src/query/parse-query.ts";
import { foldCase } from "../../src/query/text.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import type { Trace, Write } from "../../src/store/store.ts";
import { expectEqual } from "../support/expect-equal.ts";
import { IS_SOAK, testAtLength } from "../support/soak.ts";
import { tellNumbers } from "../support/tell-numbers.ts";

/** Rounds of random records, changes and searches; npm run soak asks for more. */
const ROUNDS = Number(process.env.STANDIN_INDEX_ROUNDS ?? 2);

interface Answer {
  readonly total: number;
  readonly records: readonly Json[];
  readonly trace: Trace;
}

async function ask(store: MemoryStore, asked: string): Promise<Answer> {
  const trace: Trace = { steps: [], touched: 0 };
  const { total, records } = await store.find("things", parseQuery(parseParameters(asked)), { trace });
  return { total, records: records.map(({ value }) => value), trace };
}

const isScan = ({ trace }: Answer): boolean => trace.steps.some((step) => step.startsWith("scan"));

describe("a search by index and by scan agree", () => {
  // Letters that fold to ASCII, to several characters, to one another or not at all; line ends and the separator.
  const word = fc.constantFrom(
    ..."steel,STEEL,ſteel,Kelvin,Kelvin,İstanbul,istanbul,ISTANBUL,ırmak,straße,STRASSE,STRAẞE,ΣΊΣΥΦΟΣ,σίσυφος,σίσυφοσ".split(
      ",",
    ),
    ..."Ärger,ärger,鋼鉄,鋼,𐐀𐐨,😀,a\nb,a\rb,a\u2028b,a\0b,,7,42.5,[object Object],true,hat,Hat".split(","),
  );
  const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
  const value: fc.Arbitrary<Json> = fc.oneof(
    { weight: 4, arbitrary: text },
    fc.constantFrom<Json>(7, 42.5, 0, true, false, null, "", {}, []),
    fc.array(text, { maxLength: 3 }),
    fc.record({ x: text, y: fc.array(text, { maxLength: 2 }) }),
  );
  const body = fc.record({ a: value, b: value }, { requiredKeys: [] });
  const id = fc.integer({ min: 1, max: 300 }).map(String);
  const write: fc.Arbitrary<Write> = fc.oneof(
    body.map((one): Write => ({ kind: "create", collection: "things", bodies: [one] })),
    fc.tuple(id, body).map(([one, fields]): Write => ({ kind: "patch", collection: "things", id: one, body: fields })),
    id.map((one): Write => ({ kind: "remove", collection: "things", id: one, dependents: [] })),
  );
  const part = fc.oneof(
    word,
    text,
    fc.constantFrom("st", "e", "s", "k", "i", "ee", "teel", "l h", "ß", "σ", "ς", "\0", " ", "objec", "鋼 "),
  );
  const pattern = fc.oneof(
    part.map((one) => one.replace(/[[\].]/g, "\\$&")),
    fc
      .tuple(fc.constantFrom("", "^"), part, fc.constantFrom(".*", "", " "), part, fc.constantFrom("", "$"))
      .map((pieces) => pieces.join("").replace(/[[\]]/g, "\\$&")),
    fc.constantFrom("[s]teel", "ste+l", "(steel|hat)", "^st.el$", "\\bhat", "S", "^$", "", "\\u0130", "[^x]teel"),
  );
  const filter = fc.tuple(
    fc.constantFrom("a", "b", "a.x", "a.y", "id"),
    fc.oneof(
      pattern.map((one) => ["_like", one]),
      fc.tuple(fc.constantFrom(":contains", ":startsWith", ":endsWith"), part),
    ),
  );
  const search = fc.oneof(
    part.map((one) => `q=${encodeURIComponent(one)}`),
    filter.map(([path, [operator, wanted]]) => `${path}${operator}=${encodeURIComponent(wanted!)}`),
    fc
      .array(filter, { minLength: 2, maxLength: 2 })
      .map((filters) =>
        filters.map(([path, [operator, wanted]]) => `${path}${operator}=${encodeURIComponent(wanted!)}`).join("&"),
      ),
  );
  const rest = fc.constantFrom("", "", "&_start=2&_limit=3", "&_sort=a", "&_sort=a&_limit=2", "&b_ne=7", "&q=e");

  test(`over ${ROUNDS * 100} searches of texts of all kinds that change in between`, async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(body, { minLength: 150, maxLength: 250 }),
        fc.array(fc.tuple(fc.option(write, { freq: 2 }), search, rest), { minLength: 100, maxLength: 100 }),
        async (bodies, steps) => {
          const things = bodies.map((one, position) => ({ ...one, id: position + 1 }));
          const [indexed, scanned] = [0, Number.POSITIVE_INFINITY].map(
            (minIndexed) => new MemoryStore(State.load({ things: structuredClone(things) }, "id", { minIndexed })),
          ) as [MemoryStore, MemoryStore];
          for (const [change, asked, more] of steps) {
            if (change) await Promise.allSettled([indexed.apply(change), scanned.apply(change)]);
            const expected = await ask(scanned, asked + more);
            // The second time, the matches of the first are kept.
            for (const time of ["first", "second"]) {
              const { total, records } = await ask(indexed, asked + more);
              expectEqual([total, records], [expected.total, expected.records], `${asked}${more}, ${time} time`);
            }
            compared++;
          }
        },
      ),
      // Shrinking a hundred searches would take minutes.
      { numRuns: ROUNDS, seed: Number(process.env.STANDIN_SEED ?? 1), endOnFailure: true },
    );
    tellNumbers(`${compared} searches by index and by scan, in ${ROUNDS} rounds: no difference.`);
  });
});

test("letters that any pattern takes for the same fold to the same text", () => {
  const letters: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = String.fromCodePoint(code);
    if (letter.toLowerCase() !== letter || letter.toUpperCase() !== letter) letters.push(letter);
  }
  expect(letters.length).toBeGreaterThan(2500);
  const all = letters.join("");
  for (const letter of letters) {
    for (const flags of ["gi", "giu"]) {
      for (const [same] of all.matchAll(new RegExp(letter, flags))) {
        expectEqual(foldCase(`${same} x`), foldCase(`${letter} x`), letter);
      }
    }
  }
});

describe("one text among many others", () => {
  const cases: [text: string, asked: string, total: number][] = [
    ["A steel hat", "q=STEEL HAT", 1],
    ["A steel hat", "name_like=^a.*HAT$", 1],
    ["A steel hat", "name_like=^steel", 0],
    ["A steel hat", "name:endsWith=Steel Hat", 1],
    // Patterns take the long s for an s, texts without an operator do not.
    ["ſteel", "name_like=^st.*el", 1],
    ["ſteel", "name_like=[s]teel", 1],
    ["ſteel", "name_like=steel", 0],
    ["ſteel", "name:contains=steel", 0],
    ["ſteel", "name_like=ſteel", 1],
    ["ſteel", "q=ſteel", 1],
    // The Kelvin sign is a k in lower case.
    ["\u212aelvin", "q=kelvin", 1],
    ["\u212aelvin", "name:startsWith=kel", 1],
    ["\u212aelvin", "name_like=^kel.*n", 1],
    ["\u212aelvin", "name_like=kelvin", 0],
    // The dotted capital I has two characters in lower case.
    ["İzmir", "q=İzmir", 1],
    ["İzmir", "name:contains=İzmir", 1],
    ["İzmir", "name_like=İzmir", 1],
    ["İzmir", "name_like=^İ.*r$", 1],
    ["İzmir", "q=izmir", 0],
    // A sigma has two lower cases.
    ["ΣΊΣΥΦΟΣ", "name_like=σίσυφοσ", 1],
    ["σίσυφος", "name_like=ΣΊΣΥΦΟΣ", 1],
    ["鋼鉄の帽子", "q=の帽子", 1],
    ["鋼鉄の帽子", "name_like=^鋼鉄", 1],
    ["СТАЛЬ", "name_like=сталь", 1],
    ["STRAẞE", "name_like=^straße.*", 1],
    ["Ärger", "name_like=^ÄR.*R$", 1],
    ["two\nlines", "name_like=two.*lines", 0],
    ["two\nlines", "q=two\nlines", 1],
    ["nul\0nul", "name:contains=nul\0nul", 1],
    ["nul\0nul", "name_like=l\0n", 1],
    ["nul\0nul", "q=ulnul", 0],
    ["nul\0", "name:endsWith=\0", 1],
    ["\0nul", "q=\0nul", 1],
    ["nul", "q=\0nul", 0],
    // Marks of the start and the end of texts, in a text.
    ["start\u0002middle\u0003end", "name_like=^middle", 0],
    ["start\u0002middle\u0003end", "name:endsWith=middle", 0],
    ["start\u0002middle\u0003end", "name:contains=\u0002mid", 1],
    ["start", "name:contains=\u0002start", 0],
    ["end", "name_like=end\u0003", 0],
    ["a-b", "name:contains=b-a", 0],
    ["b-a b", "name:contains=a-b", 0],
    ["3.14159", "q=3.14", 1],
    ["3-14 and 3.1 4", "q=3.14", 0],
    ["\\u0031.5", "q=1.5", 1],
    ["a\u001f5.1", "q=1.5", 0],
    ["a\u001f5.1", "q=5.1", 1],
    ["", "name_like=^$", 1],
  ];
  for (const [text, asked, total] of cases) {
    test(`${JSON.stringify(text)} is ${total ? "" : "not "}found by ${JSON.stringify(asked)}`, async () => {
      const things = Array.from({ length: 2000 }, (_, at) => ({
        id: at + 1,
        name: at === 1000 ? text : `Number ${at}`,
      }));
      for (const minIndexed of [0, Number.POSITIVE_INFINITY]) {
        const store = new MemoryStore(State.load({ things }, "id", { minIndexed }));
        const answer = await ask(
          store,
          asked.replace(/=.*/s, (value) => `=${encodeURIComponent(value.slice(1))}`),
        );
        // Marks of the start and the end of texts cannot be looked up.
        expect(isScan(answer)).toBe(minIndexed > 0 || asked.includes("\u0002") || asked.includes("\u0003"));
        expect(answer.total).toBe(total);
      }
    });
  }
});

describe("two parts of a pattern, one of them at the start or the end", () => {
  const load = (other = "Other"): MemoryStore => {
    const names = ["Steel # hat", "Hat # steel", `${other} #`];
    const things = Array.from({ length: 2400 }, (_, at) => ({
      id: at + 1,
      name: names[at % 3]!.replace("#", `${at}`),
    }));
    return new MemoryStore(State.load({ things }, "id", { minIndexed: 0 }));
  };
  for (const pattern of ["^steel.*hat", "steel.*hat$", "^ste.*at$"]) {
    test(`${pattern}: in two words, records are counted without a test`, async () => {
      const { total, trace } = await ask(load(), `name_like=${pattern}&_limit=5`);
      expect([total, trace.touched]).toEqual([800, 5]);
    });
  }
  test("in one word, records are tested", async () => {
    expect((await ask(load("Steelhat"), "name_like=^steel.*hat&_limit=5")).total).toBe(1600);
    expect((await ask(load("Steelha"), "name_like=^steel.*hat&_limit=5")).total).toBe(800);
    expect((await ask(load("Stehat"), "name_like=^steh.*ehat&_limit=5")).total).toBe(0);
  });
  test("records that changed are tested", async () => {
    const store = load();
    await ask(store, "name_like=^steel");
    for (const [id, name] of [
      [1, "Steel cap"],
      [2, "Steel hat"],
      [3, "Steelhat"],
    ] as const)
      await store.apply({ kind: "patch", collection: "things", id: `${id}`, body: { name } });
    expect((await ask(store, "name_like=^steel.*hat&_limit=5")).total).toBe(801);
  });
});

describe("kept matches", () => {
  const load = (): MemoryStore => {
    const things = Array.from({ length: 1000 }, (_, at) => ({
      id: at + 1,
      name: at % 10 ? `Other ${at}` : `Hat ${at}`,
    }));
    return new MemoryStore(State.load({ things }, "id"));
  };
  const idsOf = async (store: MemoryStore, asked: string): Promise<Json[]> => {
    const answer = await ask(store, asked);
    expect(isScan(answer)).toBe(false);
    return answer.records.map((record) => (record as { id: number }).id);
  };
  const patch = (store: MemoryStore, id: number, name: string) =>
    store.apply({ kind: "patch", collection: "things", id: String(id), body: { name } });

  for (const asked of ["q=hat", "name_like=^hat", "name:contains=hat", "name:startsWith=hat"]) {
    test(`${asked} follows every kind of write`, async () => {
      const store = load();
      const expected = (await idsOf(store, asked)) as number[];
      expect(expected).toHaveLength(100);
      await patch(store, 2, "HAT two");
      expect(await idsOf(store, asked)).toEqual([1, 2, ...expected.slice(1)]);
      await patch(store, 2, "two");
      expect(await idsOf(store, asked)).toEqual(expected);
      await store.apply({ kind: "remove", collection: "things", id: "1", dependents: [] });
      expect(await idsOf(store, asked)).toEqual(expected.slice(1));
      await store.apply({ kind: "create", collection: "things", bodies: [{ name: "Hat last" }, { name: "none" }] });
      expect(await idsOf(store, asked)).toEqual([...expected.slice(1), 1001]);
    });
  }

  test("follow more writes than an index keeps apart", async () => {
    const store = load();
    for (let id = 1; id <= 700; id++) {
      await patch(store, id, id % 2 ? `Hat ${id}` : "none");
      if (id % 175 === 0) {
        const expected = Array.from({ length: 1000 }, (_, at) => at + 1).filter((one) =>
          one <= id ? one % 2 === 1 : one % 10 === 1,
        );
        expect(await idsOf(store, "name_like=hat")).toEqual(expected);
        expect(await idsOf(store, "q=hat")).toEqual(expected);
      }
    }
  });

  test("do not change for a reader who holds them", async () => {
    const store = load();
    const query = parseQuery(parseParameters("q=hat"));
    await store.find("things", query);
    const { records } = await store.find("things", query);
    await patch(store, 1, "none");
    expect((await store.find("things", query)).total).toBe(99);
    expect(records).toHaveLength(100);
  });
});

describe("an index of many texts", () => {
  const COUNT = IS_SOAK ? 30_000 : 12_000;
  const things = Array.from({ length: COUNT }, (_, at) => ({
    id: at + 1,
    name: `Thing ${at} ${at % 3 === 0 ? "steel" : "wooden"} ${at % 500 === 0 ? "hat" : "chair"}`,
  }));
  const load = (): MemoryStore => new MemoryStore(State.load({ things }, "id"));

  for (const asked of ["q=steel hat", "name_like=steel.*hat", "name:endsWith=steel hat"]) {
    test(`${asked}: one of many requests scans, and the others wait for the index`, async () => {
      const store = load();
      const answers = await Promise.all(Array.from({ length: 32 }, () => ask(store, asked)));
      expect(answers.map(({ total }) => total)).toEqual(answers.map(() => COUNT / 1500));
      expect(answers.filter(isScan)).toHaveLength(1);
      expect(isScan(await ask(store, asked))).toBe(false);
    });
  }

  test("contains what is written while it is built, and others have their turn", async () => {
    const store = load();
    // Records are created by the first request, and this test tells the first two apart.
    await ask(store, "id=1");
    // Every look at the clock finds a slice of time used up, so all work pauses wherever it can.
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
    onTestFinished(() => clock.mockRestore());
    const scanned = ask(store, "q=steel hat");
    const waiting = ask(store, "q=steel hat");
    let turns = 0;
    const counting = (async () => {
      for (let isOver = false; !isOver; turns++) {
        isOver = await Promise.race([waiting.then(() => true), nextTurn(false)]);
      }
    })();
    await nextTurn();
    await store.apply({ kind: "create", collection: "things", bodies: [{ name: "another steel hat" }] });
    await store.apply({ kind: "remove", collection: "things", id: "1", dependents: [] });
    await store.apply({ kind: "patch", collection: "things", id: "2", body: { name: "a steel hat, too" } });
    await scanned;
    const { total, records, trace } = await waiting;
    await counting;
    expect(trace.steps).toEqual(["text index on all fields"]);
    expect(turns).toBeGreaterThan(COUNT / 1000);
    expect(total).toBe(COUNT / 1500 + 1);
    expect(records.at(0)).toEqual({ id: 2, name: "a steel hat, too" });
    expect(records.at(-1)).toMatchObject({ name: "another steel hat" });
  });

  test("others have their turn while many texts are tested by a pattern, and its matches are those of its start", async () => {
    const store = load();
    await ask(store, "name_like=steel");
    await ask(store, "name_like=steel");
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1));
    onTestFinished(() => clock.mockRestore());
    const slow = ask(store, "name_like=[s]teel (hat|chair)");
    let isOver = false;
    void slow.then(() => {
      isOver = true;
    });
    await nextTurn();
    expect(isOver).toBe(false);
    await store.apply({ kind: "remove", collection: "things", id: "1", dependents: [] });
    const { total, records } = await slow;
    expect(total).toBe(COUNT / 3);
    expect(records[0]).toEqual(things[0]);
    expect((await ask(store, "name_like=[s]teel (hat|chair)")).total).toBe(COUNT / 3 - 1);
  });

  test("rare and common texts are found without a scan, however short", async () => {
    const store = load();
    await ask(store, "q=x");
    for (const [asked, total] of [
      [`q=thing ${COUNT - 1}`, 1],
      ["q=st", COUNT / 3],
      ["q=t", COUNT],
      ["q=nowhere", 0],
      ["q=hat&_sort=name&_limit=5", COUNT / 500],
      ["q=t&_sort=name&_limit=5", COUNT],
    ] as const) {
      for (const time of [1, 2]) {
        const answer = await ask(store, asked);
        expect(answer.total, `${asked}, time ${time}`).toBe(total);
        expect(isScan(answer), asked).toBe(false);
      }
    }
  });
});

describe("texts that many records have", () => {
  const of = (words: readonly string[], at: number): string => words[at % words.length] ?? "";
  const name = (at: number): string =>
    of(["Rustic", "Plastic", "Gold"], at) +
    of([" Steel ", " Plate ", ", steel ", " Steel "], at) +
    of(["Hat", "Chair"], at);
  const load = async (note: (at: number) => Json): Promise<{ store: MemoryStore; things: Json[] }> => {
    const things = Array.from({ length: 6000 }, (_, at) => ({
      id: at + 1,
      name: name(at),
      note: note(at),
      code: at / 7,
    }));
    const store = new MemoryStore(State.load({ things }, "id"));
    for (const asked of ["q=x", "name_like=x", "q=x", "name_like=x"]) await ask(store, asked);
    return { store, things };
  };
  const searches = ["tic steel", "stic pl", "steel ", ", s", "ic steel hat", "tic hat", "gold 12", "gold, steel 7"];

  for (const asked of ["q=tic steel", "name_like=^rus.*hat", "name:contains=c steel h", "name_like=r.*s.*l.*c"]) {
    test(`${asked}: records are counted without a test`, async () => {
      const { store } = await load((at) => at);
      const { trace, records } = await ask(store, `${encodeURI(asked)}&_limit=5`);
      expect([records.length, trace.touched]).toEqual([5, 5]);
    });
  }

  test("are counted without a test beside single words of a field that hardly repeats", async () => {
    const { store } = await load((at) => ["steel", "rustic", "plastic"][at % 9] ?? `steel${at}`);
    const { trace, records } = await ask(store, "q=tic steel&_limit=5");
    expect([records.length, trace.touched]).toEqual([5, 5]);
  });

  for (const [title, note] of [
    ["beside single words", (at) => (at % 3 ? `gold${at}` : "steel")],
    ["beside unique numbers", (at) => at * 31],
    ["beside a field without repetitions that has their words", (at) => `gold ${at} rustic steel`],
    ["beside a field that repeats at first", (at) => (at < 1500 ? "tic steel" : `Rustic ${at}`)],
    ["beside a field that stops to be unique", (at) => (at < 2500 ? `Gold, steel ${at}` : "plastic plate")],
    ["twice in a record", (at) => name(at + (at % 5 ? 0 : 1))],
    ["in lists", (at) => Array.from({ length: at % (IS_SOAK ? 50 : 10) }, (_, one) => name(one))],
  ] as [string, (at: number) => Json][]) {
    test(`${title} are found like others`, async () => {
      const { store, things } = await load(note);
      for (const text of searches) {
        const expected = things.filter((thing) => valuesIn(thing).some((one) => one.toLowerCase().includes(text)));
        const answer = await ask(store, `q=${encodeURIComponent(text)}`);
        expect(isScan(answer), text).toBe(false);
        expectEqual(answer.records, expected, text);
      }
    });
  }

  test("are told from those that have words of their own", async () => {
    const things = ["Hat gold", "Hat gold", ["Hatter", "Hats"]].map((one, id) => ({ id, name: one }));
    const store = new MemoryStore(State.load({ things }, "id", { minIndexed: 0 }));
    expect((await ask(store, "name_like=hat.*gold")).total).toBe(2);
  });

  function valuesIn(value: Json): string[] {
    return value !== null && typeof value === "object" ? Object.values(value).flatMap(valuesIn) : [String(value || "")];
  }
});

testAtLength(
  "an index of more records than one segment holds follows more writes than are tested one by one",
  async () => {
    const COUNT = 70_000;
    const things = Array.from({ length: COUNT }, (_, at) => ({ id: at + 1, name: `Part ${at % 1000} of ${at % 7}` }));
    const byId = new Map(things.map(({ id, name }) => [id, name]));
    const store = new MemoryStore(State.load({ things }, "id"));
    const compare = async (asked: string, holds: (name: string, id: number) => boolean): Promise<void> => {
      const expected = [...byId].flatMap(([id, name]) => (holds(name, id) ? { id, name } : []));
      const all = await ask(store, asked);
      expect(isScan(all), asked).toBe(false);
      expectEqual(all.records, expected, asked);
      const page = await ask(store, `${asked}&_start=5&_limit=9`);
      expectEqual([page.total, page.records], [expected.length, expected.slice(5, 14)], asked);
    };
    for (const asked of ["q=x", "name_like=x", "q=x", "name_like=x"]) await ask(store, asked);
    for (let round = 1; round <= 3; round++) {
      for (let at = 0; at < 500; at++) {
        const id = 1 + ((at * 131 * round) % COUNT);
        if (at % 10 === 0) {
          await store.apply({ kind: "remove", collection: "things", id: String(id), dependents: [] }).catch(() => {});
          byId.delete(id);
        } else if (byId.has(id)) {
          const name = `Renamed ${at} in ${round}`;
          await store.apply({ kind: "patch", collection: "things", id: String(id), body: { name } });
          byId.set(id, name);
        }
        if (at % 50 > 0) continue;
        const { edits } = await store.apply({ kind: "create", collection: "things", bodies: [{ name: `Part ${at}` }] });
        for (const { after } of edits) byId.set((after!.value as { id: number }).id, `Part ${at}`);
      }
      await compare("q=999", (name, id) => `${name} ${id}`.includes("999"));
      await compare("q=part 77", (name) => name.startsWith("Part 77"));
      await compare("name:contains=named", (name) => name.includes("named"));
      await compare("name_like=^renamed.*2$", (name) => /^Renamed.*2$/.test(name));
      await compare("name:endsWith=of 6&name:endsWith=in 1", (name) => /(of 6|in 1)$/.test(name));
      await compare("name:startsWith=re&name:startsWith=part 5", (name) => /^(Re|Part 5)/.test(name));
      await compare("name_like=[r]enamed 4", (name) => name.startsWith("Renamed 4"));
    }
  },
);

test("an index that nobody asks is dropped after many writes, instead of keeping all of them", async () => {
  const store = new MemoryStore(State.load({ things: [...Array(30).keys()].map((id) => ({ id, name: "Hat" })) }, "id"));
  const { total } = await ask(store, "q=hat");
  expect(total).toBe(30);
  expect(store.indexes("things")).toEqual(["text of all fields"]);
  for (let price = 0; price < 1000; price++) {
    await store.apply({ kind: "patch", collection: "things", id: "1", body: { price } });
  }
  expect(store.indexes("things")).toEqual([]);
  expect((await ask(store, "q=hat")).total).toBe(30);
});

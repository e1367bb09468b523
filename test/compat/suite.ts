import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { limit } from "../support/limits.ts";
import { closeConnections, IN_FLIGHT } from "./ask.ts";
import { Comparison, Tally } from "./comparison.ts";
import { oddData, randomData, shopData, writableData } from "./datasets.ts";
import { DIFFERENCES } from "./differences.ts";
import { EDGE_READS, EDGE_WRITES } from "./edge-cases.ts";
import { JsonServers } from "./json-server.ts";
import type { Question } from "./question.ts";
import { Random } from "./random.ts";
import { ReadGenerator } from "./reads.ts";
import { SEED } from "./settings.ts";
import type { StartStandin } from "./standin.ts";
import { nextWrite } from "./writes.ts";

/** Random and modified data is replaced by fresh data after this many requests. */
const READS_PER_DATASET = 250;
const WRITES_PER_DATASET = 50;
const WRITERS = 8;
/** So many problems are enough to show. */
const MAX_PROBLEMS = 5;
/** So many requests meet every difference. */
const ENOUGH_FOR_ALL = 5000;

/** The comparison with json-server 0.17.4, for standin on any store. */
export function compareWithJsonServer(store: string, requests: number, start: StartStandin): void {
  /**
   * The parts of a run; odd data is read twice, and every write is followed by a read. A write costs as much as four
   * reads, since the whole database is looked at after it.
   */
  const READS_OF_SHOP_DATA = Math.ceil(requests * 0.3);
  const READS_OF_ODD_DATA = Math.ceil(requests * 0.15);
  const READS_OF_RANDOM_DATA = Math.ceil(requests * 0.2);
  const WRITES = Math.ceil(requests * 0.1);
  const TIMEOUT_MS = limit(60_000 + requests * 20);

  const tally = new Tally();
  let jsonServers: JsonServers;

  beforeAll(() => {
    jsonServers = new JsonServers();
  });

  afterAll(async () => {
    closeConnections();
    await jsonServers.end();
  });

  describe(`standin on ${store} responds as json-server 0.17.4 does (STANDIN_SEED=${SEED})`, {
    timeout: TIMEOUT_MS,
  }, () => {
    test("to reads of generated products and companies", async () => {
      const data = shopData(40, 20);
      const reads = new ReadGenerator(new Random(SEED), data);
      show(await compareReads(data, false, reads.take(READS_OF_SHOP_DATA)));
    });

    test.each([false, true])("to reads of odd data (with indexes: %s)", async (isIndexed) => {
      const data = oddData();
      const reads = new ReadGenerator(new Random(isIndexed ? SEED : SEED + 1), data);
      show(await compareReads(data, isIndexed, [...EDGE_READS, ...reads.take(READS_OF_ODD_DATA)]));
    });

    test("to reads of random data", async () => {
      const random = new Random(SEED);
      for (let left = READS_OF_RANDOM_DATA; left > 0; left -= READS_PER_DATASET) {
        const data = randomData(random);
        const reads = new ReadGenerator(random, data);
        show(await compareReads(data, random.chance(0.5), reads.take(Math.min(left, READS_PER_DATASET))));
      }
    });

    test("to writes at the edge, and has the same database after each", async () => {
      const writes = EDGE_WRITES.values();
      show(await compareWrites(false, () => writes.next().value));
    });

    test("to random writes and a read after each, and has the same database after each", async () => {
      const problems: string[] = [];
      let sequence = 0;
      const write = async (): Promise<void> => {
        while (sequence * WRITES_PER_DATASET < WRITES && problems.length < MAX_PROBLEMS) {
          const random = new Random(SEED + sequence++);
          let left = Math.min(WRITES, WRITES_PER_DATASET);
          const next = (data: JsonObject) => (left-- > 0 ? nextWrite(random, data) : undefined);
          problems.push(...(await compareWrites(random.chance(0.7), next, random)));
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, write));
      show(problems);
    });

    test("but for the listed differences, every one of which was met", () => {
      const counts = DIFFERENCES.map(({ name }) => `${String(tally.differences.get(name) ?? 0).padStart(7)}  ${name}`);
      console.log(`${tally.requests} requests compared (STANDIN_SEED=${SEED}), explained by\n${counts.join("\n")}`);
      if (requests >= ENOUGH_FOR_ALL) {
        expect(DIFFERENCES.map(({ name }) => name).filter((name) => !tally.differences.has(name))).toEqual([]);
      }
      expect(tally.requests).toBeGreaterThanOrEqual(requests);
    });
  });

  /** Asks both servers, several questions at a time; gives back what is wrong with any answer. */
  function compareReads(data: JsonObject, isIndexed: boolean, questions: Iterable<Question>): Promise<string[]> {
    return onBoth(data, isIndexed, async (comparison, problems) => {
      const left = questions[Symbol.iterator]();
      const work = async (): Promise<void> => {
        for (let next = left.next(); !next.done && problems.length < MAX_PROBLEMS; next = left.next()) {
          problems.push(...(await comparison.read(next.value)));
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    });
  }

  /**
   * Asks both servers, one question after the other; gives back what is wrong with any answer or the data after it. With
   * `random` every write is followed by a read, so that what is kept beside the data is seen to follow them.
   */
  function compareWrites(
    isIndexed: boolean,
    next: (data: JsonObject) => Question | undefined,
    random?: Random,
  ): Promise<string[]> {
    return onBoth(writableData(), isIndexed, async (comparison, problems) => {
      for (let asked = next(comparison.data); asked && problems.length === 0; asked = next(comparison.data)) {
        problems.push(...(await comparison.write(asked)));
        const reads = random ? new ReadGenerator(random, comparison.data).take(1) : [];
        for (const read of reads) problems.push(...(await comparison.read(read)));
      }
    });
  }

  async function onBoth(
    data: JsonObject,
    isIndexed: boolean,
    compare: (comparison: Comparison, problems: string[]) => Promise<void>,
  ): Promise<string[]> {
    const problems: string[] = [];
    const theirs = await jsonServers.start(data);
    const ours = await start(data, isIndexed);
    try {
      await compare(new Comparison(theirs, ours, data, tally), problems);
    } finally {
      theirs.stop();
      await ours.close();
    }
    return problems;
  }
}

function show(problems: readonly string[]): void {
  if (problems.length > 0) expect.fail(`Nothing explains this (STANDIN_SEED=${SEED}):\n\n${problems.join("\n\n")}\n`);
}

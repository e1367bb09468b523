import { linkSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { Random } from "../compat/random.ts";
import { createFolder, type Served, serveCli } from "../support/cli.ts";
import { Client } from "./client.ts";
import { asFile, contentOf, crash, databaseAt, dataIn, eventually, matching, recordsOf } from "./place.ts";
import { databaseFor, Writer } from "./writer.ts";

/** When a round ends: at any moment, or at one of those at which something is half done. */
export const MOMENTS = ["any", "staging", "replaced", "restore", "reload"] as const;
export type Moment = (typeof MOMENTS)[number];

/** How often rounds with these moments kill a server. */
export function killsIn(moments: readonly Moment[]): number {
  // A separate start checks the result of a reload, and ends in the same way.
  return moments.length + moments.filter((moment) => moment === "reload").length;
}

export interface LoopOptions {
  readonly seed: number;
  readonly writers: number;
  /** Records that are there from the beginning. */
  readonly stock: number;
  readonly moments: readonly Moment[];
  readonly args?: readonly string[];
}

/**
 * Rounds on one and the same file: start, see that everything acknowledged is there, write from several clients, kill -9 at
 * a moment that the seed decides, see that the data file parses. Gives back how many writes were acknowledged in all.
 */
export async function crashLoop({ seed, writers: count, stock, moments, args = [] }: LoopOptions): Promise<number> {
  const random = new Random(seed);
  const begin = databaseFor(count, stock);
  const folder = createFolder({ "db.json": asFile(begin) });
  const loop = new Loop(folder, random, begin, count, args);
  for (const [round, moment] of moments.entries()) await loop.round(moment, `seed ${seed}, round ${round}: ${moment}`);
  return loop.end(`seed ${seed}, end`);
}

class Loop {
  readonly #folder: string;
  readonly #random: Random;
  readonly #args: readonly string[];
  readonly #stock: number;
  readonly #writers: Writer[];
  /** A database that the next start may also find: the one that a restore was about to bring back. */
  #orElse: JsonObject | undefined;

  constructor(folder: string, random: Random, begin: JsonObject, count: number, args: readonly string[]) {
    this.#folder = folder;
    this.#random = random;
    this.#args = ["--watch", "--snapshots", "saved", ...args];
    this.#stock = recordsOf(begin, "stock").length;
    this.#writers = Array.from({ length: count }, (_, number) => new Writer(number, random, begin, count));
  }

  async round(moment: Moment, name: string): Promise<void> {
    const server = await serveCli(this.#args, this.#folder);
    await this.#check(server, name);
    const clients = this.#writers.map(() => new Client(server.url));
    // An outside version assigns ids anew: a change by id could hit another record.
    const onlyCreates = moment === "reload";
    const writing = this.#writers.map((writer, number) => writer.run(clients[number]!, onlyCreates));
    // Parsing a large file all the time would leave the clients none.
    const look = moment === "reload" ? dataIfThere : dataIn;
    const reader = readerOf(() => look(this.#folder), this.#stock > 1000 ? 50 : 2);
    try {
      if (moment === "restore") await this.#crashInRestore(server, clients, writing);
      else if (moment === "reload") await this.#crashInReload(server, writing, name);
      else await this.#crashWhileWriting(server, moment, writing);
      // The very moment of the crash, before anybody mends anything.
      look(this.#folder);
    } catch (thrown) {
      throw new Error(`${name}: ${thrown}\n${server.output.stdout.slice(0, 2000)}${server.output.stderr}`);
    } finally {
      await reader.stop();
      for (const client of clients) client.close();
    }
  }

  /** A last start and a clean stop: everything is there, and nothing but the data file is left. */
  async end(name: string): Promise<number> {
    const server = await serveCli(this.#args, this.#folder);
    await this.#check(server, name);
    const database = await databaseAt(server.url);
    expect(await server.stop(), name).toBe(0);
    expect(dataIn(this.#folder)).toEqual(database);
    expect(matching(this.#folder, /^\.|standin/), name).toEqual([]);
    return this.#acknowledged;
  }

  get #acknowledged(): number {
    return this.#writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
  }

  async #crashWhileWriting(server: Served, moment: Moment, writing: Promise<void>[]): Promise<void> {
    const before = this.#acknowledged;
    // A writer that fails says why; a busy machine may take long for the first response.
    await Promise.race([eventually(() => this.#acknowledged > before), Promise.all(writing)]);
    await sleep(this.#random.int(0, 120));
    if (moment === "staging") {
      await untilTrue(() => readdirSync(this.#folder).some((file) => file.endsWith(".tmp")));
      await sleep(this.#random.int(0, 3));
    } else if (moment === "replaced") {
      const { ino } = statSync(join(this.#folder, "db.json"));
      await untilTrue(() => statSync(join(this.#folder, "db.json")).ino !== ino);
    } else await sleep(this.#random.int(0, 200));
    await crash(server);
    await Promise.all(writing);
  }

  /** The writers come to rest, a snapshot is taken, they go on, and the restore of that snapshot is cut off. */
  async #crashInRestore(server: Served, clients: Client[], writing: Promise<void>[]): Promise<void> {
    await sleep(this.#random.int(30, 100));
    for (const writer of this.#writers) writer.pause();
    await Promise.all(writing);
    const client = clients[0]!;
    const saved = (await client.send("POST", "/__snapshots__")).body as { id: string };
    this.#orElse = await databaseAt(server.url);
    const more = this.#writers.map((writer, number) => writer.run(clients[number]!));
    await sleep(this.#random.int(10, 60));
    for (const writer of this.#writers) writer.pause();
    await Promise.all(more);
    let isRestored = false;
    const restoring = client.send("PUT", `/__snapshots__/${saved.id}`).then(
      ({ status }) => {
        isRestored = status === 200;
      },
      () => {},
    );
    await sleep(this.#random.int(0, 12));
    await crash(server);
    await restoring;
    if (isRestored) for (const writer of this.#writers) writer.accept(this.#orElse);
    if (isRestored) this.#orElse = undefined;
  }

  /**
   * An editor saves another version of the file while writes are under way: that version wins. What was acknowledged and
   * lost by it is in a file beside, or still in a journal that was set aside.
   */
  async #crashInReload(server: Served, writing: Promise<void>[], name: string): Promise<void> {
    await sleep(this.#random.int(0, 100));
    const outside = dataIn(this.#folder);
    outside.outside = [{ id: 1, name }];
    writeFileSync(join(this.#folder, "editor.tmp"), JSON.stringify(outside));
    // An editor that overwrites saved data has to keep it; here a second name keeps it.
    linkSync(join(this.#folder, "db.json"), join(this.#folder, "replaced.json"));
    renameSync(join(this.#folder, "editor.tmp"), join(this.#folder, "db.json"));
    await sleep(this.#random.int(30, 130));
    await crash(server);
    await Promise.all(writing);
    const again = await serveCli(this.#args, this.#folder);
    const database = await databaseAt(again.url);
    await crash(again);
    const kept = JSON.stringify(database) + Object.values(contentOf(this.#folder)).join("\n");
    for (const writer of this.#writers) {
      expect(
        writer.marks().filter((mark) => !kept.includes(mark)),
        `${name}: acknowledged, but nowhere`,
      ).toEqual([]);
      writer.accept(database);
    }
    for (const file of matching(this.#folder, /unsaved|outside-|aside|replaced/)) rmSync(file);
  }

  async #check(server: Served, name: string): Promise<void> {
    const database = await databaseAt(server.url);
    for (const collection of ["notes", "parents", "children", "stock"]) {
      const ids = recordsOf(database, collection).map(({ id }) => id);
      expect(new Set(ids).size, `${name}: ids of ${collection}`).toBe(ids.length);
    }
    expect(recordsOf(database, "stock"), name).toHaveLength(this.#stock);
    try {
      for (const writer of this.#writers) writer.check(database, name);
    } catch (thrown) {
      if (!this.#orElse || JSON.stringify(database) !== JSON.stringify(this.#orElse)) {
        throw new Error(`${thrown}\n${server.output.stdout.slice(0, 1000)}`);
      }
      for (const writer of this.#writers) writer.accept(database);
    }
    this.#orElse = undefined;
  }
}

/** Once another program has replaced the data file, it is missing for an instant of each save. */
function dataIfThere(folder: string): JsonObject | undefined {
  try {
    return dataIn(folder);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw thrown;
  }
}

/** Looks at the data file over and over: it must parse at every moment. */
function readerOf(look: () => unknown, everyMs: number): { stop(): Promise<void> } {
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      look();
      await sleep(everyMs);
    }
  })();
  // Checked in `stop`; nothing awaits it until then.
  reading.catch(() => {});
  return {
    stop: () => {
      isOver = true;
      return reading;
    },
  };
}

async function untilTrue(look: () => boolean): Promise<void> {
  while (!look()) await nextTurn();
}

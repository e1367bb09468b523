import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { Random } from "../compat/random.ts";
import { type Served, serveCli } from "../support/cli.ts";
import { Client } from "./client.ts";
import { CrashPlace, type Source } from "./crash-place.ts";
import { KeptVersions } from "./kept-versions.ts";
import { contentOf, crash, databaseAt, eventually, matching, recordsOf } from "./place.ts";
import { databaseFor, Writer } from "./writer.ts";

/** When a round ends: at any moment, or at one of those at which something is half done. */
export const MOMENTS = ["any", "staging", "replaced", "restore", "reset", "reload"] as const;
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
  readonly source?: Source;
  readonly args?: readonly string[];
}

/**
 * Rounds on one and the same source: start, see that everything acknowledged is there, write from several clients, kill -9
 * at a moment that the seed decides, see that the data files parse. Returns how many requests of each kind were
 * acknowledged in all.
 */
export async function crashLoop(options: LoopOptions): Promise<Map<string, number>> {
  const { seed, moments } = options;
  const loop = new Loop(options);
  for (const [round, moment] of moments.entries()) await loop.round(moment, `seed ${seed}, round ${round}: ${moment}`);
  return loop.end(`seed ${seed}, end`);
}

class Loop {
  readonly #place: CrashPlace;
  readonly #random: Random;
  readonly #args: readonly string[];
  readonly #stock: number;
  readonly #writers: Writer[];
  /** A database that the next start may also find: the one that a restore was about to bring back. */
  #orElse: JsonObject | undefined;
  /** The database that the present server began with. */
  #begin: JsonObject;
  #calls = 0;
  readonly #versions = new KeptVersions();
  /** How many records writers had created when versions were looked at. */
  #created = 0;

  constructor({ seed, writers: count, stock, source = "db.json", args = [] }: LoopOptions) {
    this.#random = new Random(seed);
    this.#begin = databaseFor(count, stock);
    this.#place = new CrashPlace(source, this.#begin, this.#random);
    this.#args = [source, "--watch", "--snapshots", "saved", "--history", "100000", ...args];
    this.#stock = stock;
    this.#writers = Array.from({ length: count }, (_, number) => new Writer(number, this.#random, this.#begin, count));
  }

  async round(moment: Moment, name: string): Promise<void> {
    const server = await serveCli(this.#args, this.#place.folder);
    await this.#check(server, name);
    const clients = this.#writers.map(() => new Client(server.url));
    // An outside version assigns ids anew: a change by id could hit another record.
    const onlyCreates = moment === "reload";
    const writing = this.#writers.map((writer, number) => writer.run(clients[number]!, onlyCreates));
    // Once another program has replaced a data file, it is missing for an instant of each save.
    const look = (): void => (moment === "reload" ? this.#place.look(true) : this.#place.look());
    // Parsing a large file all the time would leave the clients none.
    const reader = readerOf(look, this.#stock > 1000 ? 50 : 2);
    try {
      await this.#untilWritten(writing);
      if (moment === "restore" || moment === "reset") await this.#crashInExchange(moment, server, clients, writing);
      else if (moment === "reload") await this.#crashInReload(server, writing, name);
      else await this.#crashWhileWriting(server, moment, writing);
      // The very moment of the crash, before anybody mends anything.
      look();
    } catch (thrown) {
      throw new Error(`${name}: ${thrown}\n${server.output.stdout.slice(0, 2000)}${server.output.stderr}`);
    } finally {
      await reader.stop();
      for (const client of clients) client.close();
    }
  }

  /** A last start and a clean stop: everything is there, and nothing but the data files is left. */
  async end(name: string): Promise<Map<string, number>> {
    const server = await serveCli(this.#args, this.#place.folder);
    await this.#check(server, name);
    const database = await databaseAt(server.url);
    expect(await server.stop(), name).toBe(0);
    expect(this.#place.leftovers, name).toEqual([]);
    const again = await serveCli(this.#args, this.#place.folder);
    expect(await databaseAt(again.url), name).toEqual(database);
    await again.stop();
    const tally = new Map([["restored", this.#calls]]);
    for (const writer of this.#writers) {
      for (const [kind, count] of writer.tally) tally.set(kind, (tally.get(kind) ?? 0) + count);
    }
    return tally;
  }

  /** A writer that fails says why; a busy machine may take long for the first response. */
  async #untilWritten(writing: Promise<void>[]): Promise<void> {
    const acknowledged = (): number => this.#writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
    const before = acknowledged();
    await Promise.race([eventually(() => acknowledged() > before), Promise.all(writing)]);
  }

  async #crashWhileWriting(server: Served, moment: Moment, writing: Promise<void>[]): Promise<void> {
    await sleep(this.#random.int(0, 120));
    if (moment === "staging") {
      await untilTrue(() => this.#place.isStaging);
      await sleep(this.#random.int(0, 3));
    } else if (moment === "replaced") {
      const { inode } = this.#place;
      await untilTrue(() => this.#place.inode !== inode);
    } else await sleep(this.#random.int(0, 200));
    await crash(server);
    await Promise.all(writing);
  }

  /**
   * The writers come to rest and, for a restore, a snapshot is taken. They go on, and the restore of that snapshot, or the
   * reset to the data as this server found it, is cut off.
   */
  async #crashInExchange(moment: Moment, server: Served, clients: Client[], writing: Promise<void>[]): Promise<void> {
    const pause = async (running: Promise<void>[]): Promise<void> => {
      for (const writer of this.#writers) writer.pause();
      await Promise.all(running);
    };
    await sleep(this.#random.int(30, 100));
    await pause(writing);
    const client = clients[0]!;
    let path = "/__reset";
    if (moment === "restore") {
      const saved = (await client.send("POST", "/__snapshots__")).body as { id: string };
      path = `/__snapshots__/${saved.id}`;
    }
    const orElse = moment === "restore" ? await databaseAt(server.url) : this.#begin;
    this.#orElse = orElse;
    const more = this.#writers.map((writer, number) => writer.run(clients[number]!));
    await sleep(this.#random.int(10, 60));
    await pause(more);
    let isDone = false;
    const exchanging = client.send(moment === "restore" ? "PUT" : "POST", path).then(
      ({ status }) => {
        isDone = status === 200;
      },
      () => {},
    );
    // Also in the save that follows, which removes files from a folder.
    await sleep(this.#random.int(0, this.#random.chance(0.5) ? 12 : 150));
    await crash(server);
    await exchanging;
    if (!isDone) return;
    for (const writer of this.#writers) writer.accept(orElse);
    this.#orElse = undefined;
    this.#calls++;
  }

  /**
   * An editor saves another version of the file while writes are under way: that version wins. What was acknowledged and
   * lost by it is in a file beside, or still in a journal that was set aside.
   */
  async #crashInReload(server: Served, writing: Promise<void>[], name: string): Promise<void> {
    const { folder, file, source } = this.#place;
    await sleep(this.#random.int(0, 100));
    const more = JSON.stringify({ id: 0, name });
    const text = readFileSync(file, "utf8");
    const outside =
      source === "data"
        ? text.replace(/^\[(?=\s*\S)/, `[${more}${/^\[\s*\]/.test(text) ? "" : ","}`)
        : text.replace("{", `{"outside${this.#random.int(0, 2 ** 31)}":[${more}],`);
    writeFileSync(join(folder, "editor.tmp"), outside);
    // An editor that overwrites saved data has to keep it; here a second name keeps it.
    linkSync(file, join(folder, "replaced.json"));
    renameSync(join(folder, "editor.tmp"), file);
    await sleep(this.#random.int(30, 130));
    await crash(server);
    await Promise.all(writing);
    const again = await serveCli(this.#args, folder);
    const database = await databaseAt(again.url).catch((thrown: Error) => {
      const { output, child } = again;
      const ended = `${child.exitCode} ${child.signalCode}`;
      throw new Error(`${thrown}: ${thrown.cause}, exit ${ended}\n${output.stdout.slice(0, 2000)}${output.stderr}`);
    });
    await crash(again);
    const kept = JSON.stringify(database) + Object.values(contentOf(folder)).join("\n");
    for (const writer of this.#writers) {
      expect(
        writer.marks().filter((mark) => !kept.includes(mark)),
        `${name}: acknowledged, but nowhere`,
      ).toEqual([]);
      writer.accept(database);
    }
    for (const copy of [...this.#place.copies, ...matching(folder, /replaced/)]) rmSync(copy);
  }

  async #check(server: Served, name: string): Promise<void> {
    const database = await databaseAt(server.url);
    await this.#place.checkUntouched(server.url, name);
    for (const [collection, records] of Object.entries(database)) {
      if (!Array.isArray(records)) continue;
      const ids = recordsOf(database, collection).map(({ id }) => id);
      expect(new Set(ids).size, `${name}: ids of ${collection}`).toBe(ids.length);
    }
    expect(recordsOf(database, "stock"), name).toHaveLength(this.#stock);
    if (this.#orElse && isSame(database, this.#orElse)) {
      for (const writer of this.#writers) writer.accept(database);
      this.#calls++;
    } else {
      for (const writer of this.#writers) writer.check(database, `${name}\n${server.output.stdout.slice(0, 1000)}`);
    }
    const created = this.#writers.reduce((sum, { tally }) => sum + (tally.get("create") ?? 0), 0);
    await this.#versions.check(server.url, name, created - this.#created);
    this.#created = created;
    // Nobody has edited anything here.
    expect(this.#place.copies, `${name}\n${server.output.stdout}`).toEqual([]);
    this.#orElse = undefined;
    this.#begin = database;
  }
}

/** Whether two databases have the same members; a folder does not keep their order. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  const sorted = (database: JsonObject): string =>
    JSON.stringify(Object.entries(database).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
}

/** Looks at the data files over and over: they must parse at every moment. */
function readerOf(look: () => void, everyMs: number): { stop(): Promise<void> } {
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

import { readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { Random } from "../compat/random.ts";
import { type Served, serveCli } from "../support/cli.ts";
import { type Answer, Client } from "./client.ts";
import { CrashPlace, type Source } from "./crash-place.ts";
import { OutsideEditor } from "./outside-editor.ts";
import { contentOf, crash, databaseAt, eventually, matching } from "./place.ts";

export interface EditorLoopOptions {
  readonly seed: number;
  readonly kills: number;
  readonly writers: number;
  readonly source?: Source;
  readonly args: readonly string[];
}

export interface Tally {
  readonly kills: number;
  readonly acknowledged: number;
  readonly editsInPlace: number;
  readonly editsByRename: number;
}

/**
 * Rounds on one source: several clients write, an editor saves its versions over the data file, and the server is
 * killed at any moment. After the next start every acknowledged write and every edit must be somewhere, as a whole.
 */
export async function crashBesideEditor(options: EditorLoopOptions): Promise<Tally> {
  const loop = new EditorLoop(options);
  try {
    for (let kill = 0; kill < options.kills; kill++) await loop.round(`seed ${options.seed}, kill ${kill}`);
    return await loop.end(`seed ${options.seed}, end`);
  } finally {
    await loop.stopEditor();
  }
}

class EditorLoop {
  readonly #options: EditorLoopOptions;
  readonly #place: CrashPlace;
  readonly #random: Random;
  readonly #editor: OutsideEditor;
  /** The marks of each write or edit, which must be found together in one text. */
  #tracked: (readonly [what: string, ...marks: string[]])[] = [];
  #acknowledged = 0;
  #edits = { "in place": 0, "by rename": 0 };
  #output = "";

  constructor(options: EditorLoopOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#place = new CrashPlace(options.source ?? "db.json", { notes: [] }, this.#random);
    this.#editor = new OutsideEditor(this.#place, this.#random);
  }

  async round(name: string): Promise<void> {
    const server = await this.#start(name);
    // The one before may still be at its last edit, of a file that the crash left behind.
    await this.#editor.stop();
    const clients = Array.from({ length: this.#options.writers }, () => new Client(server.url));
    const writing = clients.map((client, number) => this.#write(client, `${name} ${number}`));
    this.#editor.start();
    const before = this.#acknowledged;
    const written = eventually(() => this.#acknowledged > before);
    // A writer that fails says why; a busy machine may take long for the first response.
    await Promise.race([written, Promise.all(writing)]);
    await sleep(this.#random.int(0, 450));
    await crash(server);
    await Promise.all(writing);
    for (const client of clients) client.close();
    const editing = this.#editor.stop();
    // A start beside a data file that is half written would refuse it; any other edit may go on beside the start.
    if (this.#random.chance(0.5)) await editing;
    while (this.#editor.isAtDataFile) await sleep(5);
    this.#output = server.output.stdout.slice(-3000);
  }

  /** A round that fails leaves it running. */
  stopEditor(): Promise<void> {
    return this.#editor.stop();
  }

  /** A last start, long enough that nothing is open any more, and a clean stop. */
  async end(name: string): Promise<Tally> {
    await this.#editor.stop();
    const server = await this.#start(name);
    expect(await server.stop(), name).toBe(0);
    this.#check(readFileSync(this.#place.file, "utf8"), name);
    expect(this.#tracked, `${name}: in no file that people find`).toEqual([]);
    expect(this.#place.leftovers, name).toEqual([]);
    return {
      kills: this.#options.kills,
      acknowledged: this.#acknowledged,
      editsInPlace: this.#edits["in place"],
      editsByRename: this.#edits["by rename"],
    };
  }

  async #start(name: string): Promise<Served> {
    const { source, folder } = this.#place;
    const watch = this.#random.chance(0.5) ? ["--watch"] : [];
    const server = await serveCli([source, ...watch, ...this.#options.args], folder);
    const database = await databaseAt(server.url);
    const said = `${name}\n${this.#output}${server.output.stdout}`;
    // The editor has one file of the folder open, and replaces the whole of a file that holds everything.
    if (source === "data") await this.#place.checkUntouched(server.url, said);
    this.#check(JSON.stringify(database), said);
    return server;
  }

  /** Each write and each edit is somewhere; those in places where people find them need not be followed any longer. */
  #check(served: string, name: string): void {
    for (const { begin, end, how } of this.#editor.edits.splice(0)) {
      this.#edits[how]++;
      this.#tracked.push([`edit ${how}`, begin, end]);
    }
    const { folder } = this.#place;
    const files = Object.entries(contentOf(folder));
    const isTransient = (file: string): boolean => file.includes(".standin/") && !file.endsWith(".aside");
    const lasting = [served, ...files.filter(([file]) => !isTransient(file)).map(([, text]) => text)];
    const transient = files.filter(([file]) => isTransient(file)).map(([, text]) => text);
    const isIn = (texts: readonly string[], marks: readonly string[]): boolean =>
      texts.some((text) => marks.every((mark) => text.includes(mark)));
    this.#tracked = this.#tracked.filter(([, ...marks]) => !isIn(lasting, marks));
    const lost = this.#tracked.filter(([, ...marks]) => !isIn(transient, marks));
    if (lost.length > 0) {
      throw new Error(`${name}\nlost: ${JSON.stringify(lost)}\nfiles: ${files.map(([file]) => file).join(", ")}`);
    }
    // Another edit may be under way in the names that are not ours to remove.
    if (this.#editor.inode !== undefined) return;
    for (const file of [...this.#place.copies, ...matching(folder, /^before-/)]) rmSync(file);
  }

  async #write(client: Client, name: string): Promise<void> {
    for (let n = 0; ; n++) {
      const marks = [0, 1].map((at) => `write-${this.#random.int(0, 2 ** 31)}-${n}-${at}`);
      const kind = this.#random.pick(["create", "create", "batch", "collection", "promotion"] as const);
      try {
        const { status, body } = await this.#send(client, kind, marks);
        // An edit that is loaded meanwhile is in the way of a promotion, as a whole.
        if (kind === "promotion" && status >= 400 && status < 500) continue;
        if (status >= 300) throw new TypeError(`${name}: ${kind} ${status} ${JSON.stringify(body)}`);
      } catch (thrown) {
        if (thrown instanceof TypeError) throw thrown;
        return;
      }
      this.#tracked.push([kind, ...(kind === "batch" ? marks : marks.slice(0, 1))]);
      this.#acknowledged++;
    }
  }

  async #send(client: Client, kind: string, marks: readonly string[]): Promise<Answer> {
    const [mark] = marks;
    const key = this.#random.chance(0.5) ? { "idempotency-key": `key-of-${mark}` } : {};
    switch (kind) {
      case "batch": {
        const requests = marks.map((one) => ({ method: "POST", path: "/notes", body: { mark: one } }));
        return client.send("POST", "/__batch", { requests }, key);
      }
      case "collection":
        return client.send("POST", "/__collections", { name: mark });
      case "promotion":
        await client.send("POST", "/__sandboxes", { name: mark });
        await client.send("POST", `/__sandbox/${mark}/notes`, { mark });
        return client.send("POST", `/__sandboxes/${mark}/promote`, { renumber: true });
      default:
        return client.send("POST", "/notes", { mark }, key);
    }
  }
}

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { Random } from "../compat/random.ts";
import { createFolder, type Served, serveCli } from "../support/cli.ts";
import { Client } from "./client.ts";
import { OutsideEditor } from "./outside-editor.ts";
import { asFile, contentOf, crash, databaseAt, eventually, filesIn, matching } from "./place.ts";

export interface EditorLoopOptions {
  readonly seed: number;
  readonly kills: number;
  readonly writers: number;
  readonly args: readonly string[];
}

export interface Tally {
  readonly kills: number;
  readonly acknowledged: number;
  readonly editsInPlace: number;
  readonly editsByRename: number;
}

/**
 * Rounds on one file: several clients write, an editor saves its versions over the data file, and the server is
 * killed at any moment. After the next start every acknowledged write and every edit must be somewhere, as a whole.
 */
export async function crashBesideEditor(options: EditorLoopOptions): Promise<Tally> {
  const loop = new EditorLoop(options);
  for (let kill = 0; kill < options.kills; kill++) await loop.round(`seed ${options.seed}, kill ${kill}`);
  return loop.end(`seed ${options.seed}, end`);
}

class EditorLoop {
  readonly #options: EditorLoopOptions;
  readonly #folder = createFolder({ "db.json": asFile({ notes: [] }) });
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
    this.#editor = new OutsideEditor(this.#folder, this.#random);
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

  /** A last start, long enough that nothing is open any more, and a clean stop. */
  async end(name: string): Promise<Tally> {
    await this.#editor.stop();
    const server = await this.#start(name);
    expect(await server.stop(), name).toBe(0);
    this.#check(JSON.stringify(readFileSync(join(this.#folder, "db.json"), "utf8")), name);
    expect(this.#tracked, `${name}: in no file that people find`).toEqual([]);
    const own = filesIn(this.#folder).filter((file) => file.startsWith(".") && !file.endsWith(".aside"));
    expect(
      own.filter((file) => ![".standin", ".standin/.gitignore"].includes(file)),
      name,
    ).toEqual([]);
    return {
      kills: this.#options.kills,
      acknowledged: this.#acknowledged,
      editsInPlace: this.#edits["in place"],
      editsByRename: this.#edits["by rename"],
    };
  }

  async #start(name: string): Promise<Served> {
    const args = this.#random.chance(0.5) ? ["--watch", ...this.#options.args] : this.#options.args;
    const server = await serveCli(args, this.#folder);
    this.#check(JSON.stringify(await databaseAt(server.url)), `${name}\n${this.#output}${server.output.stdout}`);
    return server;
  }

  /** Each write and each edit is somewhere; those in places where people find them need not be followed any longer. */
  #check(served: string, name: string): void {
    for (const { begin, end, how } of this.#editor.edits.splice(0)) {
      this.#edits[how]++;
      this.#tracked.push([`edit ${how}`, begin, end]);
    }
    const files = Object.entries(contentOf(this.#folder));
    const isTransient = (file: string): boolean => file.startsWith(".standin/") && !file.endsWith(".aside");
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
    for (const file of matching(this.#folder, /^db\.(unsaved|outside)-|\.aside$/)) {
      if (this.#editor.inode === undefined) rmSync(file);
    }
    for (const file of matching(this.#folder, /^before-/)) if (this.#editor.inode === undefined) rmSync(file);
  }

  async #write(client: Client, name: string): Promise<void> {
    for (let n = 0; ; n++) {
      const mark = `write-${this.#random.int(0, 2 ** 31)}-${n}`;
      try {
        const { status, body } = await client.send("POST", "/notes", { mark });
        if (status !== 201) throw new TypeError(`${name}: ${status} ${JSON.stringify(body)}`);
      } catch (thrown) {
        if (thrown instanceof TypeError) throw thrown;
        return;
      }
      this.#tracked.push(["write", mark]);
      this.#acknowledged++;
    }
  }
}

import { writeAtomically } from "../../atomic-write.ts";
import { messageOf, StandinError } from "../../errors.ts";
import type { Json } from "../../json.ts";
import { MemoryStore } from "../memory/memory-store.ts";
import type { State } from "../memory/state.ts";
import type { Change, Exported, Store, Write } from "../store.ts";

/** A change that the file does not hold yet, and who waits for it. */
interface Pending {
  readonly change: Change;
  readonly resolve: () => void;
  readonly reject: (reason: StandinError) => void;
}

/**
 * The State in memory and a data file that follows it. A write is answered when the file holds it; writes that arrive
 * while the file is being written share the next one.
 */
export class FileStore extends MemoryStore {
  override readonly kind: Store["kind"] = "file";
  override readonly place: string;
  readonly #file: string;
  #pending: Pending[] = [];
  #saving: Promise<void> | undefined;

  constructor(state: State, file: string) {
    super(state);
    this.#file = file;
    this.place = file;
  }

  override async apply(write: Write): Promise<Change> {
    const change = this.commit(write);
    await new Promise<void>((resolve, reject) => {
      this.#pending.push({ change, resolve, reject });
      this.#saving ??= this.#savePending();
    });
    return change;
  }

  override async close(): Promise<void> {
    await this.#saving;
  }

  async #savePending(): Promise<void> {
    // Writes of the same turn join the first one.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const saved = this.#pending.length;
      try {
        const text = renderDatabase(this.export());
        await writeAtomically(this.#file, (write) => write(text));
        for (const { resolve } of this.#pending.splice(0, saved)) resolve();
      } catch (thrown) {
        this.#takeBack(messageOf(thrown));
      }
    }
    this.#saving = undefined;
  }

  /** The file refuses: everything it does not hold is undone, latest first, and whoever waits is told. */
  #takeBack(reason: string): void {
    const refused = this.#pending.splice(0);
    for (const { change } of refused.toReversed()) this.state.undo(change);
    const message = `The data file cannot be written (${reason}). Nothing was changed; try again when it can.`;
    for (const { reject } of refused) reject(new StandinError("STORE_UNAVAILABLE", message));
  }
}

/** The whole database as the user's file holds it: 2-space JSON with a final newline. */
function renderDatabase(members: readonly Exported[]): string {
  const database = Object.fromEntries(members.map((member) => [member.name, contentOf(member)]));
  return `${JSON.stringify(database, null, 2)}\n`;
}

function contentOf(member: Exported): Json {
  switch (member.kind) {
    case "collection":
      return member.records.map((record) => record.value);
    case "singleton":
      return member.record.value;
    case "aside":
      return member.value;
  }
}

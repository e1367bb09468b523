import { type JsonObject, parseJson } from "../../base/json/json.ts";
import { inSlices } from "../../base/slices.ts";
import type { Exported, KeptSnapshots } from "../store.ts";
import { completionOf, type IdbTransaction, resultOf } from "./idb.ts";
import { type KeptMember, keepMember } from "./kept-member.ts";
import { refuseWrite } from "./refuse-write.ts";

/** Snapshots in the database of the data, none of which is in memory. */
export class SnapshotTable implements KeptSnapshots {
  readonly #begin: () => Promise<IdbTransaction>;

  constructor(begin: () => Promise<IdbTransaction>) {
    this.#begin = begin;
  }

  async ids(): Promise<string[]> {
    const transaction = await this.#begin();
    return resultOf(transaction.objectStore("snapshots").getAllKeys());
  }

  async read(id: string): Promise<JsonObject | undefined> {
    const transaction = await this.#begin();
    const members = (await resultOf(transaction.objectStore("snapshots").get(id))) as KeptMember[] | undefined;
    return members && Object.fromEntries(members.map(({ name, kind, text }) => [name, contentIn(kind, text)]));
  }

  async write(id: string, members: readonly Exported[]): Promise<void> {
    const kept: KeptMember[] = [];
    for (const member of members) kept.push(await inSlices(keepMember(member)));
    await this.#change((transaction) => transaction.objectStore("snapshots").put(kept, id));
  }

  async remove(id: string): Promise<void> {
    await this.#change((transaction) => transaction.objectStore("snapshots").delete(id));
  }

  async #change(write: (transaction: IdbTransaction) => void): Promise<void> {
    try {
      const transaction = await this.#begin();
      write(transaction);
      await completionOf(transaction);
    } catch (thrown) {
      refuseWrite(thrown);
    }
  }
}

function contentIn(kind: KeptMember["kind"], text: string): JsonObject[string] {
  const values = parseJson<JsonObject[string][]>(text);
  return kind === "collection" ? values : (values[0] ?? null);
}

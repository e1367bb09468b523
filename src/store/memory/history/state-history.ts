import { StandinError } from "../../../base/errors.ts";
import type { Eventually } from "../../../base/eventually.ts";
import { promptly, STEP, settled, type Work } from "../../../base/slices.ts";
import type { KeptVersion, VersionEdit, VersionHead, VersionPage, VersionQuery } from "../../history.ts";
import { idOf } from "../../ids.ts";
import { editedRecord } from "../../stored-record.ts";
import { changesBetween } from "../changes-between.ts";
import type { State } from "../state.ts";
import { countEdits, type KeptChange, TOO_LARGE } from "./kept-change.ts";
import type { KeptChanges } from "./kept-changes.ts";
import { Moments } from "./moments.ts";

/** The data before each of the latest changes. */
export class StateHistory {
  readonly changes: KeptChanges;
  readonly #present: () => State;
  readonly #moments: Moments;
  /** Clears what outlives the process, too. */
  clearKept: (() => Promise<void>) | undefined;

  constructor(changes: KeptChanges, present: () => State) {
    this.changes = changes;
    this.#present = present;
    const past = {
      get present() {
        return present();
      },
      between: changes.between.bind(changes),
    };
    this.#moments = new Moments(past);
  }

  get oldest(): number {
    return this.changes.floor.version;
  }

  get latest(): number {
    return this.changes.latest;
  }

  clear(): void {
    this.changes.clear();
    this.#moments.clear();
  }

  versionAt(time: number): number {
    const { floor } = this.changes;
    const found = this.changes.between(floor.version, this.latest).findLast((kept) => kept.time <= time);
    return found?.version ?? (floor.time <= time ? floor.version : floor.version - 1);
  }

  /** The data after a version. */
  at(version: number): Eventually<State> {
    this.expect(version);
    return this.#moments.at(version);
  }

  /** Throws where the data after a version cannot be read. */
  expect(version: number): void {
    if (version > this.#present().version) {
      throw new StandinError("QUERY_INVALID", `Version ${version} is still to come: the latest is ${this.latest}.`);
    }
    if (version < this.oldest) throw this.#gone(version);
  }

  #gone(version: number, reason = this.changes.floor.lost): StandinError {
    const { oldest } = this;
    const because = reason === undefined ? "" : ` (${reason})`;
    return new StandinError(
      "HISTORY_GONE",
      `Version ${version} is gone${because}: the oldest is ${oldest}.`,
      {},
      { oldest },
    );
  }

  find(version: number): Eventually<KeptVersion> {
    const kept = this.changes.changeTo(version);
    if (kept) return promptly(this.#whole(kept));
    if (version > this.latest || version > this.oldest) {
      throw new StandinError("VERSION_NOT_FOUND", `There is no version ${version}. GET /__history lists them.`);
    }
    throw this.#gone(version);
  }

  *#whole(kept: KeptChange): Work<KeptVersion> {
    if (!kept.back && kept.lost !== TOO_LARGE) throw this.#gone(kept.version, kept.lost);
    if (!kept.back) {
      throw new StandinError(
        "HISTORY_TOO_LARGE",
        `Version ${kept.version} is listed, but its records were not kept: the change was too large.`,
      );
    }
    const edits = yield* this.#editsOf(kept);
    return { ...(yield* this.#head(kept)), edits };
  }

  /** Newest first. */
  list(query: VersionQuery): Eventually<VersionPage> {
    return promptly(this.#list(query));
  }

  *#list(query: VersionQuery): Work<VersionPage> {
    const { before = Number.POSITIVE_INFINITY, since = Number.NEGATIVE_INFINITY, by, limit } = query;
    const versions: VersionHead[] = [];
    for (const kept of this.changes.between(Number.NEGATIVE_INFINITY, before - 1).reverse()) {
      if (kept.time < since) break;
      if ((by !== undefined && kept.by !== by) || !(yield* this.#concerns(kept, query))) continue;
      if (versions.length === limit) return { versions, next: versions.at(-1)?.version };
      versions.push(yield* this.#head(kept));
    }
    return { versions };
  }

  *#concerns(kept: KeptChange, { collection, id }: VersionQuery): Work<boolean> {
    if (collection === undefined) return true;
    const { counts, members } = yield* this.#head(kept);
    if (!Object.hasOwn(counts, collection)) {
      return id === undefined && (members?.some(({ name, to }) => name === collection || to === collection) ?? false);
    }
    if (id === undefined) return true;
    const state = this.#present();
    const idKey = state.collection(collection)?.idKey ?? state.idKeys.of(collection);
    for (const [position, edit] of (yield* this.#editsOf(kept)).entries()) {
      if (position % STEP === STEP - 1) yield;
      if (edit.name === collection && String(idOf(editedRecord(edit).value, idKey)) === id) return true;
    }
    return false;
  }

  *#head(kept: KeptChange): Work<VersionHead> {
    const { version, time, by, cause, back } = kept;
    kept.counts ??= yield* countEdits(yield* this.#editsOf(kept));
    return {
      version,
      time,
      by,
      ...(cause !== undefined && { cause }),
      kind: kindOf(kept),
      counts: kept.counts,
      ...(kept.members && { members: kept.members }),
      isKept: back !== undefined,
    };
  }

  *#editsOf(kept: KeptChange): Work<readonly VersionEdit[]> {
    const { back } = kept;
    if (back?.kind === "change") return back.edits;
    if (back?.kind === "members") kept.members = [back.edit];
    // Without a way to the data after it, nobody knows what has changed.
    if ((back?.kind === "exchange" || back?.kind === "replaced") && kept.version > this.oldest) {
      const after = yield* settled(this.#moments.at(kept.version));
      const before = back.kind === "exchange" ? back.state : yield* settled(this.#moments.at(kept.version - 1));
      const { records, created, removed } = yield* changesBetween(before, after);
      kept.members = [
        ...removed.map(({ name }) => ({ kind: "removed" as const, name })),
        ...created.map(({ name }) => ({ kind: "created" as const, name })),
      ];
      return records;
    }
    return [];
  }
}

function kindOf({ back, by }: KeptChange): VersionHead["kind"] {
  if (!back) return by === "file" ? "exchange" : "change";
  return back.kind === "replaced" ? "exchange" : back.kind;
}

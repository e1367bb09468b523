import type { TimeSource } from "../../../base/clock.ts";
import { StandinError } from "../../../base/errors.ts";
import type { Eventually } from "../../../base/eventually.ts";
import { promptly, STEP, settled, type Work } from "../../../base/slices.ts";
import type {
  AlteredMember,
  HistoryLimits,
  KeptVersion,
  Origin,
  VersionEdit,
  VersionHead,
  VersionPage,
  VersionQuery,
} from "../../history.ts";
import { idOf } from "../../ids.ts";
import type { Change } from "../../store.ts";
import { bytesOfEdits, editedRecord } from "../../stored-record.ts";
import { changesBetween } from "../changes-between.ts";
import type { MembersBefore, State } from "../state.ts";
import { countEdits, type KeptChange, TOO_LARGE, type WayBack } from "./kept-change.ts";
import { Moments } from "./moments.ts";
import { bytesOfExchange, bytesOfMember } from "./weigh.ts";

/** The newest versions are kept however large they are, up to `MAX_NEWEST_BYTES` together. */
const NEWEST = 10;
const MAX_NEWEST_BYTES = 256 * 2 ** 20;

/** The latest changes of data in memory, and the data before each of them. */
export class StateHistory {
  readonly #limits: HistoryLimits;
  readonly #clock: TimeSource;
  readonly #present: () => State;
  readonly #moments: Moments;
  /** Oldest first. */
  #kept: KeptChange[] = [];
  #bytes = 0;
  /** The oldest version that can be read, and its time. */
  #floor: Floor;
  /** Clears what outlives the process, too. */
  clearKept: (() => Promise<void>) | undefined;
  /** The latest version that was too large to be kept. */
  tooLarge: number | undefined;

  constructor(limits: HistoryLimits, present: () => State) {
    this.#limits = limits;
    this.#clock = limits.clock ?? Date;
    this.#present = present;
    this.#floor = { version: present().version, time: this.now() };
    const between = this.#between.bind(this);
    const past = {
      get present() {
        return present();
      },
      between,
    };
    this.#moments = new Moments(past);
  }

  now(): number {
    return this.#clock.now();
  }

  get oldest(): number {
    return this.#floor.version;
  }

  get latest(): number {
    return this.#kept.at(-1)?.version ?? this.#floor.version;
  }

  /** When a version was made, if that is known. */
  timeOf(version: number): number | undefined {
    const kept = this.#kept[this.#after(version) - 1];
    return kept?.version === version ? kept.time : undefined;
  }

  /** Call right after the change is committed. */
  noteChange({ version, edits }: Change, origin: Origin, time?: number): void {
    if (edits.length > 0) this.#push({ version, time }, origin, { kind: "change", edits }, bytesOfEdits(edits));
  }

  noteMembers(version: number, edit: AlteredMember, { before, origin }: NotedMembers): void {
    const bytes = before.removed ? bytesOfMember(before.removed) : 0;
    this.#push({ version }, origin, { kind: "members", edit, before }, bytes);
  }

  /** Call right after `state` has given way to the present one. */
  noteExchange(state: State, origin: Origin): void {
    const present = this.#present();
    const { version } = present;
    this.#push({ version }, origin, { kind: "exchange", state }, bytesOfExchange(state, present));
  }

  /** Notes a version that nobody knows the way back from. */
  noteLost(version: number, { by = "program", cause, time = this.now() }: TimedOrigin, lost: string): void {
    this.#kept.push({ version, time, by, cause, bytes: 0, back: undefined, lost });
    this.#floor = { version, time, lost };
    this.#dropOldest(time);
  }

  /** Goes on from versions of earlier processes. */
  resume(kept: readonly KeptChange[], floor: Floor): void {
    this.#kept = [...kept];
    this.#floor = floor;
    for (const { version, time, bytes, back, lost } of kept) {
      this.#bytes += bytes;
      if (!back) this.#floor = { version, time, lost };
    }
    this.#dropOldest(this.now());
  }

  /** The oldest version that can be read, and its time. */
  get floor(): Floor {
    return this.#floor;
  }

  #push(at: { version: number; time?: number | undefined }, origin: Origin, back: WayBack, bytes: number): void {
    const { version, time = this.now() } = at;
    if (bytes > this.#maxNewestBytes) {
      this.tooLarge = version;
      this.noteLost(version, origin, TOO_LARGE);
      return;
    }
    const { by = "program", cause } = origin;
    this.#kept.push({ version, time, by, cause, bytes, back });
    this.#bytes += bytes;
    this.#dropOldest(time);
  }

  get #maxNewestBytes(): number {
    return this.#limits.maxNewestBytes ?? MAX_NEWEST_BYTES;
  }

  /** Hot path: usually drops one or none. */
  #dropOldest(now: number): void {
    const { count = Number.POSITIVE_INFINITY, maxAgeMs = Number.POSITIVE_INFINITY, maxBytes } = this.#limits;
    for (;;) {
      const oldest = this.#kept[0];
      if (!oldest) return;
      const { length } = this.#kept;
      const isTooHeavy = this.#bytes > (length > NEWEST ? maxBytes : this.#maxNewestBytes);
      if (length <= count && !isTooHeavy && now - oldest.time <= maxAgeMs) return;
      this.#kept.shift();
      this.#bytes -= oldest.bytes;
      if (oldest.version > this.#floor.version) this.#floor = { version: oldest.version, time: oldest.time };
    }
  }

  /** Forgets the latest version, whose change could not be saved and was undone. */
  takeBack(version: number): void {
    if (this.#kept.at(-1)?.version === version) this.#bytes -= this.#kept.pop()?.bytes ?? 0;
  }

  clear(): void {
    const { version } = this.#present();
    this.#kept = [];
    this.#bytes = 0;
    this.#floor = { version, time: this.now() };
    this.#moments.clear();
  }

  versionAt(time: number): number {
    const found = this.#kept.findLast((kept) => kept.time <= time);
    if (found && found.version > this.#floor.version) return found.version;
    return this.#floor.time <= time ? this.#floor.version : this.#floor.version - 1;
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

  #gone(version: number, reason = this.#floor.lost): StandinError {
    const { oldest } = this;
    const because = reason === undefined ? "" : ` (${reason})`;
    return new StandinError(
      "HISTORY_GONE",
      `Version ${version} is gone${because}: the oldest is ${oldest}.`,
      {},
      { oldest },
    );
  }

  #between(version: number, upTo: number): KeptChange[] {
    return this.#kept.slice(this.#after(version), this.#after(upTo));
  }

  /** The position of the first change above a version. */
  #after(version: number): number {
    let low = 0;
    for (let high = this.#kept.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((this.#kept[middle]?.version ?? version) > version) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  find(version: number): Eventually<KeptVersion> {
    const kept = this.#kept[this.#after(version) - 1];
    if (kept?.version === version) return promptly(this.#whole(kept));
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
    for (const kept of this.#kept.slice(0, this.#after(before - 1)).reverse()) {
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

interface TimedOrigin extends Origin {
  /** When it was made; now, unless that is noted elsewhere, too. */
  readonly time?: number;
}

/** The oldest version that can be read, its time, and why none before it can, unless those were merely dropped. */
interface Floor {
  readonly version: number;
  readonly time: number;
  readonly lost?: string | undefined;
}

function kindOf({ back, by }: KeptChange): VersionHead["kind"] {
  if (!back) return by === "file" ? "exchange" : "change";
  return back.kind === "replaced" ? "exchange" : back.kind;
}

interface NotedMembers {
  readonly before: MembersBefore;
  readonly origin: Origin;
}

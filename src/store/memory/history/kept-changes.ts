import type { TimeSource } from "../../../base/clock.ts";
import type { AlteredMember, HistoryLimits, Origin } from "../../history.ts";
import type { Change } from "../../store.ts";
import { bytesOfEdits } from "../../stored-record.ts";
import type { MembersBefore, State } from "../state.ts";
import { type KeptChange, TOO_LARGE, type WayBack } from "./kept-change.ts";
import { ALL, bytesOfExchange, bytesOfMember } from "./weigh.ts";

/** The newest versions are kept however large they are, up to `MAX_NEWEST_BYTES` together. */
const NEWEST = 10;
const MAX_NEWEST_BYTES = 256 * 2 ** 20;

/** The most changes that are dropped, but still in the list. */
const MAX_DROPPED = 255;

/** The latest changes of data in memory, each with the way back to the data before it. */
export class KeptChanges {
  readonly #limits: HistoryLimits;
  readonly #clock: TimeSource;
  readonly #present: () => State;
  /** Oldest first, from `#first` on. */
  #kept: KeptChange[] = [];
  /** Those before it are dropped, and empty: to shift the others with each write would take longer than to note it. */
  #first = 0;
  /** About the memory of what only the past has. */
  bytes = 0;
  /** Records up to this version have no weight: others have them, too. */
  birth = ALL;
  /** The oldest version that can be read, and its time. */
  floor: Floor;
  /** The latest version that was too large to be kept. */
  tooLarge: number | undefined;

  constructor(limits: HistoryLimits, present: () => State) {
    this.#limits = limits;
    this.#clock = limits.clock ?? Date;
    this.#present = present;
    this.floor = { version: present().version, time: this.now() };
  }

  now(): number {
    return this.#clock.now();
  }

  get latest(): number {
    return (this.#kept.length > this.#first ? this.#kept.at(-1)?.version : undefined) ?? this.floor.version;
  }

  /** The change that led to a version, if it is kept. */
  changeTo(version: number): KeptChange | undefined {
    const at = this.#after(version) - 1;
    const kept = this.#kept[at];
    return at >= this.#first && kept?.version === version ? kept : undefined;
  }

  /** The changes above a version, up to another one, oldest first. */
  between(version: number, upTo: number): KeptChange[] {
    return this.#kept.slice(this.#after(version), this.#after(upTo));
  }

  /** Call right after the change is committed. */
  noteChange({ version, edits, isOrdered = false }: Change, origin: Origin, time?: number): void {
    if (edits.length === 0) return;
    this.#push({ version, time }, origin, { kind: "change", edits, isOrdered }, bytesOfEdits(edits, this.birth));
  }

  noteMembers(version: number, edit: AlteredMember, { before, origin }: NotedMembers): void {
    const bytes = bytesOfMember(before.removed, this.birth);
    this.#push({ version }, origin, { kind: "members", edit, before }, bytes);
  }

  /** Call right after `state` has given way to the present one. */
  noteExchange(state: State, origin: Origin): void {
    const present = this.#present();
    const { version } = present;
    this.#push({ version }, origin, { kind: "exchange", state }, bytesOfExchange(state, present));
  }

  /** Notes a version without a way back. */
  noteLost(version: number, { by = "program", cause, time = this.now() }: TimedOrigin, lost: string): void {
    this.#kept.push({ version, time, by, cause, bytes: 0, back: undefined, lost });
    this.floor = { version, time, lost };
    this.#dropOldest(time);
  }

  /** Goes on from versions of earlier processes. */
  resume(kept: readonly KeptChange[], floor: Floor): void {
    this.#kept = [...kept];
    this.#first = 0;
    this.floor = floor;
    for (const { version, time, bytes, back, lost } of kept) {
      this.bytes += bytes;
      if (!back) this.floor = { version, time, lost };
    }
    this.#dropOldest(this.now());
  }

  #push(at: NotedVersion, origin: Origin, back: WayBack, bytes: number): void {
    const { version, time = this.now() } = at;
    if (bytes > this.#maxNewestBytes) {
      this.tooLarge = version;
      this.noteLost(version, origin, TOO_LARGE);
      return;
    }
    const { by = "program", cause } = origin;
    this.#kept.push({ version, time, by, cause, bytes, back });
    this.bytes += bytes;
    this.#dropOldest(time);
  }

  get #maxNewestBytes(): number {
    return this.#limits.maxNewestBytes ?? MAX_NEWEST_BYTES;
  }

  /** Hot path: usually drops one or none. */
  #dropOldest(now: number): void {
    const { count = Number.POSITIVE_INFINITY, maxAgeMs = Number.POSITIVE_INFINITY, maxBytes } = this.#limits;
    for (;;) {
      const oldest = this.#kept[this.#first];
      if (!oldest) return;
      const length = this.#kept.length - this.#first;
      const isTooHeavy = this.bytes > (length > NEWEST ? maxBytes : this.#maxNewestBytes);
      if (length <= count && !isTooHeavy && now - oldest.time <= maxAgeMs) return;
      this.#kept[this.#first++] = DROPPED;
      if (this.#first > MAX_DROPPED) {
        this.#kept.splice(0, this.#first);
        this.#first = 0;
      }
      this.bytes -= oldest.bytes;
      if (oldest.version > this.floor.version) this.floor = { version: oldest.version, time: oldest.time };
    }
  }

  /** Forgets the latest version, whose change could not be saved and was undone. */
  takeBack(version: number): void {
    if (this.latest === version && this.changeTo(version)) this.bytes -= this.#kept.pop()?.bytes ?? 0;
  }

  clear(): void {
    const { version } = this.#present();
    this.#kept = [];
    this.#first = 0;
    this.bytes = 0;
    this.floor = { version, time: this.now() };
  }

  /** The position of the first change above a version. */
  #after(version: number): number {
    let low = this.#first;
    for (let high = this.#kept.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((this.#kept[middle]?.version ?? version) > version) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const DROPPED: KeptChange = { version: 0, time: 0, by: "", cause: undefined, bytes: 0, back: undefined };

/** The oldest version that can be read, its time, and why none before it can, unless those were merely dropped. */
export interface Floor {
  readonly version: number;
  readonly time: number;
  readonly lost?: string | undefined;
}

interface NotedMembers {
  readonly before: MembersBefore;
  readonly origin: Origin;
}

/** A version, and when it was made, if somebody has noted that. */
interface NotedVersion {
  readonly version: number;
  readonly time?: number | undefined;
}

interface TimedOrigin extends Origin {
  /** When it was made; now, unless that is noted elsewhere, too. */
  readonly time?: number;
}

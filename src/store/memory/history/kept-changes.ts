import type { TimeSource } from "../../../base/clock.ts";
import type { AlteredMember, HistoryLimits, Origin } from "../../history.ts";
import type { Change, Edit } from "../../store.ts";
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
  readonly #count: number;
  readonly #maxAgeMs: number;
  readonly #maxBytes: number;
  readonly #maxNewestBytes: number;
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
  /** Made into an object when asked for: under load, each write has another floor. */
  #floorVersion = 0;
  #floorTime = 0;
  #lost: string | undefined;
  /** The latest version that was too large to be kept. */
  tooLarge: number | undefined;

  constructor(limits: HistoryLimits, present: () => State) {
    const { count, maxAgeMs, maxBytes, maxNewestBytes = MAX_NEWEST_BYTES, clock = Date } = limits;
    this.#count = count ?? Number.POSITIVE_INFINITY;
    this.#maxAgeMs = maxAgeMs ?? Number.POSITIVE_INFINITY;
    this.#maxBytes = maxBytes;
    this.#maxNewestBytes = maxNewestBytes;
    this.#clock = clock;
    this.#present = present;
    this.#floorAt(present().version, this.now());
  }

  /** The oldest version that can be read. */
  get floor(): Floor {
    return { version: this.#floorVersion, time: this.#floorTime, lost: this.#lost };
  }

  /** The version before those in the list, which may have some below the floor. */
  get unlisted(): number {
    return Math.min(this.#floorVersion, (this.#kept[this.#first]?.version ?? Number.POSITIVE_INFINITY) - 1);
  }

  #floorAt(version: number, time: number, lost?: string): void {
    this.#floorVersion = version;
    this.#floorTime = time;
    this.#lost = lost;
  }

  now(): number {
    return this.#clock.now();
  }

  get latest(): number {
    return (this.#kept.length > this.#first ? this.#kept.at(-1)?.version : undefined) ?? this.#floorVersion;
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
  noteChange(change: Change, origin: Origin, time = this.now()): void {
    const { edits } = change;
    if (edits.length === 0) return;
    this.#push(new KeptEdits(change, origin, { time, bytes: bytesOfEdits(edits, this.birth) }));
  }

  noteMembers(version: number, edit: AlteredMember, { before, origin }: NotedMembers): void {
    const bytes = bytesOfMember(before.removed, this.birth);
    this.#pushBack({ version, bytes }, origin, { kind: "members", edit, before });
  }

  /** Call right after `state` has given way to the present one. */
  noteExchange(state: State, origin: Origin): void {
    const present = this.#present();
    const { version } = present;
    this.#pushBack({ version, bytes: bytesOfExchange(state, present) }, origin, { kind: "exchange", state });
  }

  /** Notes a version without a way back. */
  noteLost(version: number, { by = "program", cause, time = this.now() }: TimedOrigin, lost: string): void {
    this.#kept.push({ version, time, by, cause, bytes: 0, back: undefined, lost });
    this.#floorAt(version, time, lost);
    this.#dropOldest(time);
  }

  /** Goes on from versions of earlier processes. */
  resume(kept: readonly KeptChange[], floor: Floor): void {
    this.#kept = [...kept];
    this.#first = 0;
    this.#floorAt(floor.version, floor.time, floor.lost);
    for (const { version, time, bytes, back, lost } of kept) {
      this.bytes += bytes;
      if (!back) this.#floorAt(version, time, lost);
    }
    this.#dropOldest(this.now());
  }

  #pushBack(
    { version, bytes }: Pick<KeptChange, "version" | "bytes">,
    { by = "program", cause }: Origin,
    back: WayBack,
  ): void {
    this.#push({ version, time: this.now(), by, cause, bytes, back });
  }

  #push(kept: KeptChange): void {
    const { version, time, bytes } = kept;
    if (bytes > this.#maxNewestBytes) {
      this.tooLarge = version;
      this.noteLost(version, kept, TOO_LARGE);
      return;
    }
    this.#kept.push(kept);
    this.bytes += bytes;
    this.#dropOldest(time);
  }

  /** Hot path: usually drops one or none. */
  #dropOldest(now: number): void {
    for (;;) {
      const oldest = this.#kept[this.#first];
      if (!oldest) return;
      const length = this.#kept.length - this.#first;
      const isTooHeavy = this.bytes > (length > NEWEST ? this.#maxBytes : this.#maxNewestBytes);
      if (length <= this.#count && !isTooHeavy && now - oldest.time <= this.#maxAgeMs) return;
      this.#kept[this.#first++] = DROPPED;
      if (this.#first > MAX_DROPPED) {
        this.#kept.splice(0, this.#first);
        this.#first = 0;
      }
      this.bytes -= oldest.bytes;
      if (oldest.version > this.#floorVersion) this.#floorAt(oldest.version, oldest.time);
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
    this.#floorAt(version, this.now());
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

/** The usual version: a change of records, which is its own way back, so that most writes leave one object here. */
class KeptEdits implements KeptChange {
  readonly kind = "change";
  readonly version: number;
  readonly time: number;
  readonly by: string;
  readonly cause: string | undefined;
  readonly bytes: number;
  readonly edits: readonly Edit[];
  readonly isOrdered: boolean;
  counts: KeptChange["counts"];
  members: KeptChange["members"];

  constructor(
    { version, edits, isOrdered = false }: Change,
    { by = "program", cause }: Origin,
    { time, bytes }: Pick<KeptChange, "time" | "bytes">,
  ) {
    this.version = version;
    this.time = time;
    this.by = by;
    this.cause = cause;
    this.bytes = bytes;
    this.edits = edits;
    this.isOrdered = isOrdered;
  }

  get back(): WayBack {
    return this;
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

interface TimedOrigin extends Origin {
  /** When it was made; now, unless that is noted elsewhere, too. */
  readonly time?: number;
}

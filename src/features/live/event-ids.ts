import type { TimeSource } from "../../base/clock.ts";
import { StandinError } from "../../base/errors.ts";
import type { Call } from "../../http/call.ts";
import { randomId } from "../../store/ids.ts";
import type { KeptValues } from "../../store/store.ts";
import type { OpenStreams } from "./open-streams.ts";

/** The last position of a reader: a number of this run of the server, or a position in another run. */
export type Seen = number | "another run";

/** Options that the feeds of a server share. */
export interface FeedOptions {
  readonly ids: EventIds;
  readonly streams: OpenStreams;
  readonly heartbeatMs: number;
  readonly clock: TimeSource;
}

const RUN = "run";

/** Numbers start anew with the server, so an id names the run, too: `k3Xw9bQ-17`. */
export class EventIds {
  readonly #kept: KeptValues | undefined;
  #known: string | undefined;

  constructor(kept?: KeptValues) {
    this.#kept = kept;
    this.#known = kept?.read(RUN) as string | undefined;
  }

  get #run(): string {
    this.#known ??= this.#draw();
    return this.#known;
  }

  #draw(): string {
    const run = randomId();
    this.#kept?.write(RUN, () => run);
    return run;
  }

  nameOf(number: number): string {
    return `${this.#run}-${number}`;
  }

  /** The position that a reader continues after: `Last-Event-ID`, which browsers send by themselves, or `after=`. */
  lastSeen({ headers, parameters }: Call): Seen | undefined {
    const header = headers["last-event-id"];
    if (header !== undefined && header !== "") return this.#read("Last-Event-ID", String(header));
    const given = parameters.get("after")?.[0];
    return given === undefined ? undefined : this.#read("after", given);
  }

  /** A number alone is of this run: lists show it so. */
  #read(name: string, given: string): Seen {
    const [, run = this.#run, digits] = /^(?:([0-9A-Za-z]+)-)?(\d+)$/.exec(given) ?? [];
    const number = Number(digits);
    if (digits !== undefined && Number.isSafeInteger(number)) return run === this.#run ? number : "another run";
    throw new StandinError(
      "QUERY_INVALID",
      `${name}: "${given}" is not an id of this server; ids are whole numbers, or end in one after a "-".`,
    );
  }
}

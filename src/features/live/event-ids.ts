import { StandinError } from "../../errors.ts";
import type { Exchange } from "../../http/exchange.ts";
import { randomId } from "../../store/ids.ts";

/** Where a reader was: after a number of this run of the server, or in another run, of which nothing is known here. */
export type Seen = number | "another run";

/** Numbers start anew with the server, so what a reader is told is named by both: `k3Xw9bQ-17`. */
export class EventIds {
  readonly #run = randomId();

  nameOf(number: number): string {
    return `${this.#run}-${number}`;
  }

  /** What a reader wants to go on after: `Last-Event-ID`, which browsers send by themselves, or `after=`. */
  lastSeen({ req, parameters }: Exchange): Seen | undefined {
    const header = req.headers["last-event-id"];
    if (header !== undefined && header !== "") return this.#read("Last-Event-ID", String(header));
    const given = parameters.get("after")?.[0];
    return given === undefined ? undefined : this.#read("after", given);
  }

  /** A number alone is of this run: that is how lists give it out. */
  #read(name: string, given: string): Seen {
    const [, run = this.#run, digits] = /^(?:([0-9A-Za-z]+)-)?(\d+)$/.exec(given) ?? [];
    const number = Number(digits);
    if (digits !== undefined && Number.isSafeInteger(number)) return run === this.#run ? number : "another run";
    throw new StandinError(
      "QUERY_INVALID",
      `${name}: "${given}" is no id that was given out here; ids are whole numbers, or end in one behind a "-".`,
    );
  }
}

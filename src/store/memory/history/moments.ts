import type { Eventually } from "../../../base/eventually.ts";
import { inSlices } from "../../../base/slices.ts";
import { randomId } from "../../ids.ts";
import type { State } from "../state.ts";
import type { KeptChange } from "./kept-change.ts";
import { Rewind } from "./rewind.ts";

/** The moments that stay at hand. */
const MAX_MOMENTS = 4;

/** The changes that lead to the present state. */
export interface Past {
  readonly present: State;
  /** The changes above a version, up to another one, oldest first. */
  between(version: number, upTo: number): readonly KeptChange[];
}

/** The states of earlier moments, of which the last few stay at hand. */
export class Moments {
  readonly #past: Past;
  /** Part of every ETag, so that none outlives this history. Some platforms bar randomness before the first request. */
  #id: string | undefined;
  readonly #moments = new Map<number, Eventually<State>>();

  constructor(past: Past) {
    this.#past = past;
  }

  /** The data after a version that is known to have a way back. */
  at(version: number): Eventually<State> {
    const known = this.#moments.get(version);
    if (known) {
      // The one that was used last goes last.
      this.#moments.delete(version);
      this.#moments.set(version, known);
      return known;
    }
    const making = this.#make(version).then(
      (state) => {
        if (this.#moments.get(version) === making) this.#moments.set(version, state);
        return state;
      },
      (thrown) => {
        this.#moments.delete(version);
        throw thrown;
      },
    );
    this.#moments.set(version, making);
    const [oldest] = this.#moments.keys();
    if (this.#moments.size > MAX_MOMENTS && oldest !== undefined) this.#moments.delete(oldest);
    return making;
  }

  clear(): void {
    this.#moments.clear();
  }

  async #make(version: number): Promise<State> {
    this.#id ??= randomId();
    const moment = { version, epoch: `${this.#id}@${version}` };
    for (;;) {
      const { state, upTo, isLive } = this.#nearest(version);
      const rewind = new Rewind(state, this.#past.between(version, upTo));
      const since = (): readonly KeptChange[] =>
        this.#past.present === state ? this.#past.between(upTo, state.version) : [EXCHANGED];
      const made = await inSlices(rewind.state(moment, isLive ? since : undefined));
      if (made) return made;
    }
  }

  /** The nearest later state: one at hand, the one that an exchange of all data ended, or the present one. */
  #nearest(version: number): { state: State; upTo: number; isLive: boolean } {
    const { present } = this.#past;
    const exchange = this.#past.between(version, present.version).find(({ back }) => back?.kind === "exchange");
    let upTo = exchange ? exchange.version - 1 : present.version;
    let state = exchange?.back?.kind === "exchange" ? exchange.back.state : present;
    for (const [at, moment] of this.#moments) {
      if (at < version || at > upTo || moment instanceof Promise) continue;
      upTo = at;
      state = moment;
    }
    return { state, upTo, isLive: state === present };
  }
}

/** Stands for the end of the state that a moment is made from. */
const EXCHANGED: KeptChange = { version: 0, time: 0, by: "", cause: undefined, bytes: 0, back: undefined };

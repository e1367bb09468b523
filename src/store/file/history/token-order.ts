/** A record of a collection, over all its past: its position at the start of this process, or below 0 if it was gone then. */
export type Token = number;

/** Stands before the first record. */
const START = -1;
/** More insertions or removals at once than this are done in one pass. */
const MAX_SPLICES = 32;

/**
 * The records of one collection in their order, while its past is walked back. Positions are those of the moment that is
 * reached; slots order all records that ever were.
 */
export class TokenOrder {
  /** Undefined while it is 0, 1, 2 and so on. */
  #tokens: Token[] | undefined;
  #length: number;
  #gone = 0;
  /** Behind each record those that were gone, in order. */
  readonly #chain = new Map<Token, Token>();
  #slots: ReadonlyMap<Token, number> | undefined;

  constructor(length: number) {
    this.#length = length;
  }

  get length(): number {
    return this.#tokens?.length ?? this.#length;
  }

  at(position: number): Token {
    return this.#tokens ? (this.#tokens[position] ?? START) : position;
  }

  /** Takes the last one away, and returns it. */
  pop(): Token {
    const last = this.at(this.length - 1);
    if (this.#tokens) this.#tokens.pop();
    else this.#length--;
    return last;
  }

  /** Takes those at these positions away, which descend, and returns them. */
  remove(positions: readonly number[]): Token[] {
    const tokens = this.#list();
    const removed = positions.map((position) => tokens[position] ?? START);
    if (positions.length <= MAX_SPLICES) for (const position of positions) tokens.splice(position, 1);
    else {
      const gone = new Set(positions);
      this.#tokens = tokens.filter((_, position) => !gone.has(position));
    }
    return removed;
  }

  /** Puts new ones at these positions, which ascend, and returns them. */
  insert(positions: readonly number[]): Token[] {
    const tokens = this.#list();
    if (positions.length <= MAX_SPLICES) {
      return positions.map((position) => {
        const token = this.#newBehind(tokens[position - 1]);
        tokens.splice(position, 0, token);
        return token;
      });
    }
    const merged: Token[] = [];
    let next = 0;
    const inserted = positions.map((position) => {
      while (merged.length < position && next < tokens.length) merged.push(tokens[next++] ?? START);
      const token = this.#newBehind(merged.at(-1));
      merged.push(token);
      return token;
    });
    for (; next < tokens.length; next++) merged.push(tokens[next] ?? START);
    this.#tokens = merged;
    return inserted;
  }

  /** Keeps the parts of a script, with new ones between them. Returns those, and the ones that are in no part. */
  rearrange(script: readonly (readonly [from: number, count: number] | object)[]): {
    inserted: Token[];
    gone: Token[];
  } {
    const tokens = this.#list();
    const next: Token[] = [];
    const inserted: Token[] = [];
    const gone: Token[] = [];
    let end = 0;
    for (const part of script) {
      if (Array.isArray(part)) {
        const [from, count] = part as [number, number];
        for (const token of tokens.slice(end, from)) gone.push(token);
        end = from + count;
        for (const token of tokens.slice(from, end)) next.push(token);
      } else {
        const token = this.#newBehind(next.at(-1));
        inserted.push(token);
        next.push(token);
      }
    }
    for (const token of tokens.slice(end)) gone.push(token);
    this.#tokens = next;
    return { inserted, gone };
  }

  /** The slot of a record; call it when the walk has ended. */
  slotOf(token: Token): number {
    if (token >= 0) return token;
    this.#slots ??= this.#findSlots();
    return this.#slots.get(token) ?? token;
  }

  #list(): Token[] {
    this.#tokens ??= Array.from({ length: this.#length }, (_, position) => position);
    return this.#tokens;
  }

  #newBehind(before: Token = START): Token {
    const token = START - ++this.#gone;
    const following = this.#chain.get(before);
    this.#chain.set(before, token);
    if (following !== undefined) this.#chain.set(token, following);
    return token;
  }

  /** Spreads the records that are gone between the whole numbers of those that were there at the start. */
  #findSlots(): ReadonlyMap<Token, number> {
    const slots = new Map<Token, number>();
    for (const head of this.#chain.keys()) {
      if (head < START) continue;
      const chained: Token[] = [];
      for (let token = this.#chain.get(head); token !== undefined; token = this.#chain.get(token)) chained.push(token);
      for (const [position, token] of chained.entries()) slots.set(token, head + (position + 1) / (chained.length + 1));
    }
    return slots;
  }
}

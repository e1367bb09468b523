/** The primary key field of each collection: its own, or the one that all others have. */
export class IdKeys {
  /** The field of collections without one of their own. */
  readonly default: string;
  readonly #configured: ReadonlyMap<string, string>;
  /** The fields that renamed collections have brought along. */
  readonly #kept: ReadonlyMap<string, string>;

  private constructor(usual: string, configured: ReadonlyMap<string, string>, kept: ReadonlyMap<string, string>) {
    this.default = usual;
    this.#configured = configured;
    this.#kept = kept;
  }

  static from({ idKey, idKeys = {} }: IdKeyOptions): IdKeys {
    return new IdKeys(idKey, new Map(Object.entries(idKeys)), new Map());
  }

  of(collection: string): string {
    return this.#configured.get(collection) ?? this.#kept.get(collection) ?? this.default;
  }

  /** The fields that renamed collections keep, by their new names. */
  get kept(): ReadonlyMap<string, string> {
    return this.#kept;
  }

  /** The same with other kept fields. A field that is configured for a name wins over a kept one. */
  keeping(kept: ReadonlyMap<string, string>): IdKeys {
    return new IdKeys(this.default, this.#configured, kept);
  }
}

export interface IdKeyOptions {
  /** The primary key field of collections without one of their own. */
  readonly idKey: string;
  /** The primary key fields of collections that have their own, by collection. */
  readonly idKeys?: Readonly<Record<string, string>> | undefined;
}

import pluralize from "pluralize";
import { randomId } from "../../../store/ids.ts";

/** The parts of lodash, with lodash-id mixed in, that the mixins use. */
interface Lodash {
  __id(): string;
  isFinite(value: unknown): boolean;
  isEmpty(value: unknown): boolean;
  maxBy(collection: object, key: string): Record<string, unknown> | undefined;
  getById(collection: unknown, id: unknown): unknown;
  deepQuery(value: unknown, q: string): boolean | undefined;
}

interface Removable {
  readonly name: string;
  readonly id: unknown;
}

/** The mixins that json-server 0.17 adds to its database's lodash, under their own names. */
export const mixins = {
  /** The largest id + 1, or a short text where ids are texts. Replaces lodash-id's function. */
  createId(this: Lodash, collection: object): unknown {
    if (this.isEmpty(collection)) return 1;
    const key = this.__id();
    const largest = this.maxBy(collection, key)?.[key];
    return this.isFinite(largest) ? (largest as number) + 1 : randomId();
  },

  /** The records whose foreign key refers to no record. */
  getRemovable(
    this: Lodash,
    database: Record<string, unknown>,
    { foreignKeySuffix }: { foreignKeySuffix: string },
  ): Removable[] {
    const removable: Removable[] = [];
    for (const [name, collection] of Object.entries(database)) {
      if (!Array.isArray(collection)) continue;
      for (const record of collection as Record<string, unknown>[]) {
        for (const [key, value] of Object.entries(record ?? {})) {
          if (!key.endsWith(foreignKeySuffix)) continue;
          const parents = database[pluralize.plural(key.slice(0, -foreignKeySuffix.length))];
          if (parents && this.getById(parents, value) === undefined) removable.push({ name, id: record.id });
        }
      }
    }
    return removable;
  },

  /** Whether a value contains a text, at any depth; undefined if not, as in 0.17. */
  deepQuery(this: Lodash, value: unknown, q: string): boolean | undefined {
    if (!value || !q) return undefined;
    if (typeof value === "object") {
      return Object.values(value).some((inner) => this.deepQuery(inner, q)) || undefined;
    }
    return String(value).toLowerCase().includes(q) || undefined;
  },
};

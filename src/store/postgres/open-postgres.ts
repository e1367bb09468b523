import { createHash } from "node:crypto";
import { messageOf, StartError } from "../../base/errors.ts";
import type { Completions } from "../completion.ts";
import type { HistoryLimits } from "../history.ts";
import { type IdKeyOptions, IdKeys } from "../id-keys.ts";
import type { RecordRules } from "../record-rules.ts";
import { withoutPassword } from "../sources/source-kind.ts";
import type { ConnectionOptions } from "./connections/connection.ts";
import { PostgresDatabase } from "./connections/postgres-database.ts";
import { hasVersions } from "./history/bounds.ts";
import { PostgresStore } from "./postgres-store.ts";
import { expectSchema, hasTrigrams, migrate } from "./tables/schema.ts";
import { StoredIdKeys } from "./tables/stored-id-keys.ts";

export interface PostgresOptions extends ConnectionOptions, IdKeyOptions {
  readonly schema: string;
  /** The paths to index in order, by collection. */
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  /** The suffix of fields that refer to other records, which are indexed, too; `_id` and `Id` by default. */
  readonly foreignKeySuffix: string | undefined;
  /** Rejects a schema that standin has not set up, instead of setting it up. */
  readonly mustExist?: boolean;
  readonly completions?: Completions | undefined;
  readonly rules?: RecordRules | undefined;
  /** How much of the past to keep; nothing without it. */
  readonly history?: HistoryLimits | undefined;
  readonly warn: (text: string) => void;
}

export const POSTGRES_DEFAULTS = {
  schema: "standin",
  poolSize: 10,
  statementTimeoutMs: 30_000,
  tls: undefined,
  tlsCa: undefined,
  indexes: {},
  foreignKeySuffix: undefined,
} as const satisfies Omit<PostgresOptions, "idKey" | "warn">;

/** The most foreign keys per collection that are indexed without being declared. */
const MAX_KEYS = 5;

/** Connects, creates missing tables and functions, and reads the catalogue. */
export async function openPostgres(url: string, options: PostgresOptions): Promise<PostgresStore> {
  const { schema, indexes, foreignKeySuffix, completions, rules, warn, history: limits } = options;
  const suffixes = foreignKeySuffix === undefined ? ["_id", "Id"] : [foreignKeySuffix];
  const idKeys = new StoredIdKeys(IdKeys.from(options));
  const database = new PostgresDatabase(url, options);
  try {
    if (options.mustExist) await expectSchema(database, schema);
    const epoch = await migrate(database, schema);
    const load = {
      schema,
      channel: channelOf(schema),
      idKeys,
      rules,
      noting: {
        limits,
        hasPast: await database.query(hasVersions),
        now: () => (limits?.clock ?? Date).now(),
        isHooked: false,
      },
      hasTrigrams: await hasTrigrams(database),
      pathsOf: (collection: string, keys: Iterable<string>) => {
        const declared = (Object.hasOwn(indexes, collection) && indexes[collection]) || [];
        const referring = [...keys].filter((key) => suffixes.some((suffix) => key.endsWith(suffix))).slice(0, MAX_KEYS);
        return [...new Set([idKeys.of(collection), ...declared, ...referring])];
      },
      warn,
    };
    const store = new PostgresStore({ database, url, epoch, load, completions });
    await store.refresh();
    await store.data.createMissingIndexes();
    await store.history?.begin();
    await store.listen();
    return store;
  } catch (thrown) {
    await database.close();
    throw thrown instanceof StartError
      ? thrown
      : new StartError(`${withoutPassword(url)} cannot be used: ${messageOf(database.explain(thrown))}`);
  }
}

/** The name of the notification channel, within PostgreSQL's limit of 63 bytes. */
function channelOf(schema: string): string {
  return `standin_${createHash("sha256").update(schema).digest("hex").slice(0, 32)}`;
}

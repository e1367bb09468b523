import type { PostgresSettings } from "../store/open-store.ts";
import { readIndexes } from "./indexes.ts";
import type { PostgresFlags } from "./postgres-options.ts";

/** Maps the options of a command to the settings of the PostgreSQL store. */
export function postgresSettings(
  options: PostgresFlags & { foreignKeySuffix?: string | undefined },
  configFile = "the config file",
): PostgresSettings {
  return {
    schema: options.schema,
    poolSize: options.poolSize,
    statementTimeoutMs: options.statementTimeout,
    tls: options.databaseTls as PostgresSettings["tls"],
    tlsCa: options.databaseCa,
    indexes: readIndexes(options.indexes, configFile),
    foreignKeySuffix: options.foreignKeySuffix,
  };
}

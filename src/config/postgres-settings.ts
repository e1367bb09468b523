import { StartError } from "../base/errors.ts";
import type { JsonObject } from "../base/json/json.ts";
import type { PostgresSettings } from "../store/open-store.ts";
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

/** Checks `indexes` of the config file: a list of paths for each collection. */
function readIndexes(given: JsonObject | undefined, file: string): Record<string, string[]> {
  const indexes: Record<string, string[]> = {};
  for (const [collection, paths] of Object.entries(given ?? {})) {
    const isList = Array.isArray(paths) && paths.every((path) => typeof path === "string" && path !== "");
    if (!isList) {
      throw new StartError(`${file}: "indexes.${collection}" must be a list of fields, such as ["price", "name"].`);
    }
    Object.defineProperty(indexes, collection, { value: paths, enumerable: true });
  }
  return indexes;
}

import { StartError } from "../base/errors.ts";
import type { JsonObject } from "../base/json/json.ts";
import type { OptionTable, Values } from "../base/option.ts";
import type { PostgresSettings } from "../store/open-store.ts";

/** The options of every command that can open a PostgreSQL database. */
export const POSTGRES_OPTIONS = {
  schema: {
    name: "schema",
    type: "string",
    default: "standin",
    placeholder: "<name>",
    help: "PostgreSQL: schema that holds the data",
    inPrograms: false,
  },
  poolSize: {
    name: "poolSize",
    type: "integer",
    default: 10,
    min: 2,
    max: 1000,
    placeholder: "<count>",
    help: "PostgreSQL: maximum number of connections per process",
    inPrograms: false,
  },
  statementTimeout: {
    name: "statementTimeout",
    type: "integer",
    default: 30_000,
    min: 1,
    max: 2 ** 31 - 1,
    placeholder: "<ms>",
    help: "PostgreSQL: cancel statements that take longer",
    inPrograms: false,
  },
  databaseTls: {
    name: "databaseTls",
    type: "string",
    choices: ["off", "require", "verify"],
    placeholder: "<level>",
    help: "PostgreSQL: TLS; verify also checks the certificate (default: as the URL says)",
    inPrograms: false,
  },
  databaseCa: {
    name: "databaseCa",
    type: "string",
    placeholder: "<file>",
    help: "PostgreSQL: certificate authority to trust (PEM)",
    inPrograms: false,
  },
  indexes: {
    name: "indexes",
    type: "object",
    help: "PostgreSQL: fields to index, listed by collection",
    only: "file",
    inPrograms: false,
  },
} as const satisfies OptionTable;

type PostgresFlags = Values<typeof POSTGRES_OPTIONS>;

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
function readIndexes(option: JsonObject | undefined, file: string): Record<string, string[]> {
  const indexes: Record<string, string[]> = {};
  for (const [collection, paths] of Object.entries(option ?? {})) {
    const isList = Array.isArray(paths) && paths.every((path) => typeof path === "string" && path !== "");
    if (!isList) {
      throw new StartError(`${file}: "indexes.${collection}" must be a list of fields, such as ["price", "name"].`);
    }
    Object.defineProperty(indexes, collection, { value: paths, enumerable: true });
  }
  return indexes;
}

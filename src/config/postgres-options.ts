import type { OptionTable, Values } from "../base/option.ts";

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

export type PostgresFlags = Values<typeof POSTGRES_OPTIONS>;

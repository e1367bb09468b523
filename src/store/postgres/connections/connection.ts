import { readFileSync } from "node:fs";
import postgres from "postgres";
import { messageOf, StandinError, StartError } from "../../../errors.ts";
import { withoutPassword } from "../../sources/source-kind.ts";

/** The connections to one database, and the fragments of SQL made with them. */
export type Sql = postgres.Sql<Record<string, unknown>>;

/** How the database is reached. */
export interface ConnectionOptions {
  /** The schema that holds everything. */
  readonly schema: string;
  readonly poolSize: number;
  /** A statement may run so long. */
  readonly statementTimeoutMs: number;
  /** `verify`: encrypted, and the certificate is checked; `require`: encrypted; undefined: as the URL says. */
  readonly tls: "off" | "require" | "verify" | undefined;
  /** The certificate of the authority that the server's must come from. */
  readonly tlsCa: string | undefined;
}

/** After the database went away, it is tried again this often. */
const RECONNECT_SECONDS = 0.1;
const CONNECT_TIMEOUT_SECONDS = 5;

/** The array types of parameters, by their numbers in every PostgreSQL: int[], text[], bigint[]. */
const ARRAYS = [1007, 1009, 1016];

/** What a connection tells of itself. */
export interface Hooks {
  readonly onClose?: () => void;
  readonly onNotice?: (payload: string) => void;
}

/** Connections for single statements, each under the time limit from its first moment. */
export function connectPool(url: string, options: ConnectionOptions): Sql {
  return open(url, options, {
    // Else each connection begins with a query for all types, and the process ends where that query times out.
    fetch_types: false,
    types: Object.fromEntries(ARRAYS.map((to) => [to, { to, from: [], serialize: arrayText, parse: String }])),
    connection: { statement_timeout: options.statementTimeoutMs },
  });
}

/**
 * One connection, to be reserved. It has no time limit: the driver reserves none without that query for types, and then
 * the limit would end the process.
 */
export function connectLine(url: string, options: ConnectionOptions, { onClose, onNotice }: Hooks = {}): Sql {
  return open(url, options, {
    max: 1,
    ...(onClose && { onclose: onClose }),
    // Known to the driver, though not to its types.
    ...(onNotice && ({ onnotify: (_channel: string, payload: string) => onNotice(payload) } as object)),
  });
}

type DriverOptions = postgres.Options<Record<string, postgres.PostgresType>>;

function open(url: string, options: ConnectionOptions, more: DriverOptions): Sql {
  try {
    return postgres(url, {
      max: options.poolSize,
      backoff: () => RECONNECT_SECONDS,
      connect_timeout: CONNECT_TIMEOUT_SECONDS,
      onnotice: () => {},
      ...tlsOptions(options),
      ...more,
      connection: {
        application_name: "standin",
        search_path: `${quoted(options.schema)}, public`,
        // Statements are written so that one plan is good for all parameters; making another each time costs more.
        plan_cache_mode: "force_generic_plan",
        ...more.connection,
      },
    }) as Sql;
  } catch (thrown) {
    throw new StartError(`${withoutPassword(url)} is not a PostgreSQL URL: ${messageOf(thrown)}`);
  }
}

function tlsOptions({ tls, tlsCa }: ConnectionOptions): { ssl?: boolean | object } {
  if (tls === undefined && tlsCa === undefined) return {};
  if (tls === "off") return { ssl: false };
  if (tls === "require") return { ssl: { rejectUnauthorized: false } };
  try {
    return { ssl: { rejectUnauthorized: true, ...(tlsCa === undefined ? {} : { ca: readFileSync(tlsCa, "utf8") }) } };
  } catch (thrown) {
    throw new StartError(`The certificate ${tlsCa} cannot be read: ${messageOf(thrown)}`);
  }
}

function arrayText(elements: unknown): string {
  const texts = (elements as readonly unknown[]).map((element) =>
    element === null ? "null" : `"${String(element).replace(/["\\]/g, "\\$&")}"`,
  );
  return `{${texts.join(",")}}`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Codes of a server that ends, starts, or has no connection left, and of the driver. */
const GONE = /^(08...|57P0[123]|53300|CONNECT|CONNECTION_\w+|CONNECT_TIMEOUT)$/;
/** Codes of sockets and of names; those of files are nobody's absence. */
const UNREACHABLE = /^(E(CONN|HOST|NET)[A-Z]+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL)$/;
/** Another transaction was in the way; the whole of it may be done again. */
const AGAIN = /^(40001|40P01|55P03)$/;

export function isGone(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return GONE.test(code) || UNREACHABLE.test(code);
}

export function isWorthAnotherTry(thrown: unknown): boolean {
  return AGAIN.test(codeOf(thrown));
}

/** The catalogue is behind the database. */
export class Outdated extends Error {}

export function isOutdated(thrown: unknown): boolean {
  if (thrown instanceof Outdated) return true;
  // A table or column that was there when the catalogue was read; or a plan made when it was.
  return /^(42P01|42703|0A000)$/.test(codeOf(thrown)) || /could not open relation/.test(messageOf(thrown));
}

export function isTimeout(thrown: unknown): boolean {
  return codeOf(thrown) === "57014";
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error ? String((thrown as { code?: unknown }).code ?? "") : "";
}

/** What a client is told while there is no database. */
export function unavailable(thrown: unknown, more = "Nothing was changed."): StandinError {
  return new StandinError(
    "STORE_UNAVAILABLE",
    `The database cannot be reached (${codeOf(thrown) || "no answer"}). ${more}`,
    {
      "Retry-After": "1",
    },
  );
}

/** Turns what the driver throws into what a client may hear. */
export function explained(thrown: unknown, statementTimeoutMs: number): unknown {
  if (isGone(thrown)) return unavailable(thrown);
  if (isTimeout(thrown)) {
    return new StandinError(
      "STORE_UNAVAILABLE",
      `The database took longer than ${statementTimeoutMs} ms. Ask for less, declare an index, or raise "statementTimeout".`,
      { "Retry-After": "1" },
    );
  }
  return thrown;
}

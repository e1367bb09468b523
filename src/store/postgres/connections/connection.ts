import { readFileSync } from "node:fs";
import postgres from "postgres";
import { messageOf, StartError } from "../../../base/errors.ts";
import { fileProblem } from "../../../base/files/file-problem.ts";
import { withoutPassword } from "../../sources/source-kind.ts";

/** The driver's handle of one or more connections. */
export type Sql = postgres.Sql<Record<string, unknown>>;

/** The part of it that sends statements made of fragments. */
export type Statements = Pick<Sql, "unsafe">;

/** The options of every connection to the database. */
export interface ConnectionOptions {
  /** The schema that has all tables; undefined where all names have theirs, and sessions are in UTC. */
  readonly schema: string | undefined;
  readonly poolSize: number;
  /** The time limit of a statement. */
  readonly statementTimeoutMs: number;
  /** `verify`: encrypted, with the certificate verified; `require`: encrypted; undefined: as the URL says. */
  readonly tls: "off" | "require" | "verify" | undefined;
  /** The file with the certificate of the authority that must have issued the server's. */
  readonly tlsCa: string | undefined;
}

/** The delay between attempts to reconnect. */
const RECONNECT_SECONDS = 0.1;
const CONNECT_TIMEOUT_SECONDS = 5;

/** The array types of parameters, by their numbers in every PostgreSQL: int[], text[], bigint[]. */
const ARRAYS = [1007, 1009, 1016];

/** The callbacks of a connection. */
export interface ConnectionHooks {
  readonly onClose?: () => void;
  readonly onNotice?: (payload: string) => void;
}

/** Opens connections for single statements, with the time limit from the start. */
export function connectPool(url: string, options: ConnectionOptions): Sql {
  return open(url, options, {
    // Otherwise each connection begins with a query for all types, and a timeout of that query ends the process.
    fetch_types: false,
    types: Object.fromEntries(ARRAYS.map((to) => [to, { to, from: [], serialize: arrayText, parse: String }])),
    connection: { statement_timeout: options.statementTimeoutMs },
  });
}

/**
 * Opens one connection, to be reserved. It has no time limit: the driver reserves a connection only after that query for
 * types, whose timeout would end the process.
 */
export function connectSingle(
  url: string,
  options: ConnectionOptions,
  { onClose, onNotice }: ConnectionHooks = {},
): Sql {
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
        ...(options.schema === undefined ? { TimeZone: "UTC" } : { search_path: `${quoted(options.schema)}, public` }),
        // Statements are written so that one plan suits all parameters; planning each time costs more.
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
    throw new StartError(`The certificate ${tlsCa} cannot be read: ${fileProblem(thrown)}`);
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

import { messageOf, StandinError } from "../../../base/errors.ts";
import { isTooLong } from "../../data-too-large.ts";

/** Codes of a server that stops, starts or has no free connection, and of the driver. */
const SERVER_LOST = /^(08...|57P0[123]|53300|CONNECT|CONNECTION_\w+|CONNECT_TIMEOUT)$/;
/** Codes of sockets and host names, but not of files. */
const UNREACHABLE = /^(E(CONN|HOST|NET)[A-Z]+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL)$/;
/** Conflicts with another transaction; the whole transaction may be retried. */
const CONFLICT = /^(40001|40P01|55P03)$/;

export function isConnectionLost(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return SERVER_LOST.test(code) || UNREACHABLE.test(code);
}

export function isRetryable(thrown: unknown): boolean {
  return CONFLICT.test(codeOf(thrown));
}

/** The database has changed since the catalogue was read. */
export class OutdatedCatalogue extends Error {}

export function isOutdated(thrown: unknown): boolean {
  if (thrown instanceof OutdatedCatalogue) return true;
  // A table or column that existed when the catalogue was read, or a plan from then.
  return /^(42P01|42703|0A000)$/.test(codeOf(thrown)) || /could not open relation/.test(messageOf(thrown));
}

export function isTimeout(thrown: unknown): boolean {
  return codeOf(thrown) === "57014";
}

/** The error for clients while the database cannot be reached. */
export function unavailable(thrown: unknown, more = "Nothing was changed."): StandinError {
  return new StandinError(
    "STORE_UNAVAILABLE",
    `The database cannot be reached (${codeOf(thrown) || "no response"}). ${more}`,
    { "Retry-After": "1" },
  );
}

/** Turns an error of the driver into one for clients. */
export function toClientError(thrown: unknown, statementTimeoutMs: number): unknown {
  if (isConnectionLost(thrown)) return unavailable(thrown);
  if (isTimeout(thrown)) {
    return new StandinError(
      "STORE_UNAVAILABLE",
      `The database took longer than ${statementTimeoutMs} ms. Request less data, declare an index, or raise "statementTimeout".`,
      { "Retry-After": "1" },
    );
  }
  if (isRetryable(thrown) || thrown instanceof OutdatedCatalogue) {
    return new StandinError(
      "STORE_UNAVAILABLE",
      "Other processes changed the same data again and again. Nothing was changed; try again.",
      { "Retry-After": "1" },
    );
  }
  // A record, or a value in it, that is larger than PostgreSQL stores.
  if (codeOf(thrown) === "54000" || isTooLong(thrown)) {
    return new StandinError(
      "DATA_TOO_LARGE",
      `PostgreSQL cannot store this (${messageOf(thrown)}). Nothing was changed.`,
    );
  }
  return thrown;
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error ? String((thrown as { code?: unknown }).code ?? "") : "";
}

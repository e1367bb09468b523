import { messageOf, StandinError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { textOf } from "../../query/text.ts";
import type { Table } from "./table.ts";

/** The fields of a PostgreSQL error that say where it happened. */
interface DatabaseError {
  readonly code?: string;
  readonly detail?: string;
  readonly column_name?: string;
  readonly constraint_name?: string;
  readonly table_name?: string;
}

/** The table and record of a statement. */
export interface FailedWrite {
  readonly table: Table;
  readonly kind: "insert" | "update" | "delete";
  /** The values to store. */
  readonly record: JsonObject;
}

/** A refusal of the database in the words of the API; anything else as it is. */
export function refusalOfWrite(thrown: unknown, { table, kind, record }: FailedWrite): unknown {
  const error = thrown as DatabaseError;
  const { code = "", detail = "", column_name: column, constraint_name: constraint } = error;
  const [, columns = "", values = ""] = /^Key \((.*?)\)=\((.*?)\)/.exec(detail) ?? [];
  const invalid = (message: string): StandinError =>
    new StandinError("RECORD_INVALID", `${message} Nothing was changed.`);
  switch (code) {
    case "23505":
      if (columns === table.idKey) {
        return new StandinError(
          "ID_TAKEN",
          `${table.name} already has a record with ${columns} ${values}. Nothing was changed.`,
        );
      }
      return new StandinError(
        "VALUE_TAKEN",
        `${table.name} already has a record with ${columns} ${values}: the constraint ${constraint} allows only one. Nothing was changed.`,
      );
    case "23503":
      if (kind === "delete" || detail.includes("still referenced")) {
        const from = /from table "(.*)"/.exec(detail)?.[1] ?? "another table";
        return new StandinError(
          "RECORD_REFERENCED",
          `Records of ${from} still refer to this one by the constraint ${constraint}. Change or delete them first. Nothing was changed.`,
        );
      }
      return invalid(`"${columns}" refers to ${values}, which does not exist (constraint ${constraint}).`);
    case "23502":
      return invalid(`"${column}" must have a value: the column takes no null.`);
    case "23514":
    case "23P01":
      return invalid(`The record breaks the constraint ${constraint} of ${table.name}.`);
    case "42501":
      return new StandinError(
        "FORBIDDEN_WRITE",
        `The database user must not write to ${table.name}: ${messageOf(thrown)}.`,
      );
    case "25006":
      return new StandinError("READ_ONLY", "The database is read-only. Nothing was changed.");
    default:
      // Values that a type does not take, and exceptions of triggers.
      if (!/^(22|23|42|44|P0|0A)/.test(code)) return thrown;
      return invalid(`${blamed(messageOf(thrown), record)}: ${messageOf(thrown)}.`);
  }
}

/** The fields that a message about a value may mean: it has the value, or the length that is too much. */
function blamed(message: string, record: JsonObject): string {
  const value = /: "(.*)"$/s.exec(message)?.[1];
  const maxLength = Number(/too long for type .*\((\d+)\)$/.exec(message)?.[1] ?? Number.POSITIVE_INFINITY);
  const fields = Object.entries(record).filter(([, given]) => {
    const text = given === null ? "" : textOf(given);
    return text === value || text.length > maxLength;
  });
  return fields.length === 0 ? "PostgreSQL refuses this" : fields.map(([field]) => `"${field}"`).join(" or ");
}

/** The same for a read. */
export function refusalOfRead(thrown: unknown, { name }: Table): unknown {
  const { code = "" } = (thrown ?? {}) as DatabaseError;
  if (code === "42501") {
    return new StandinError("FORBIDDEN_READ", `The database user must not read ${name}: ${messageOf(thrown)}.`);
  }
  // A value of a cursor that somebody has made up, or a view that computes what cannot be computed.
  if (/^22/.test(code))
    return new StandinError("QUERY_INVALID", `PostgreSQL refuses this query: ${messageOf(thrown)}.`);
  return thrown;
}

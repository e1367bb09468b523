import { StandinError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import { conditionsIn } from "./filter.ts";
import { FilterReader } from "./filter-reader.ts";
import { parsePath } from "./path.ts";
import { AGGREGATES, type Aggregate, type Grouping } from "./query.ts";

/** The texts of the parameters that ask for rows in place of records. */
export interface GroupingTexts {
  readonly group: readonly string[];
  readonly aggregate: readonly string[];
  readonly having: readonly string[];
}

/** The most fields to group by, and the most functions over the groups: each is read from every record. */
const MAX_FIELDS = 20;
const MAX_AGGREGATES = 100;

const EXAMPLE = "_aggregate=count,sum:price";

/** Parses `_group`, `_aggregate` and `_having`; undefined where none of them is given. */
export function parseGrouping({ group, aggregate, having }: GroupingTexts): Grouping | undefined {
  if (group.length === 0 && aggregate.length === 0) {
    if (having.length === 0) return undefined;
    throw refusal(`_having=${having[0]}: there are no groups; add _group or _aggregate.`);
  }
  if (group.length > MAX_FIELDS) throw refusal(`_group: ${group.length} fields; at most ${MAX_FIELDS} are allowed.`);
  if (aggregate.length > MAX_AGGREGATES)
    throw refusal(`_aggregate: ${aggregate.length} functions; at most ${MAX_AGGREGATES} are allowed.`);
  const paths = group.map(parsePath);
  const aggregates = (aggregate.length > 0 ? aggregate : ["count"]).map(parseAggregate);
  const names = columnsOf({ paths, aggregates });
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw refusal(`_group and _aggregate give two columns the name "${twice}".`);
  return { paths, aggregates, having: parseHaving(having, names) };
}

/** The keys of the rows. */
export function columnsOf({ paths, aggregates }: Pick<Grouping, "paths" | "aggregates">): string[] {
  return [...paths.map(({ text }) => text), ...aggregates.map(({ name }) => name)];
}

/** The message for a column that the rows do not have. */
export function unknownColumn(parameter: string, column: string, names: readonly string[]): string {
  return `${parameter}: there is no column "${column}".${didYouMean(column, names)} Columns: ${names.join(", ")}.`;
}

function parseAggregate(text: string): Aggregate {
  const colon = text.indexOf(":");
  const kind = colon === -1 ? text : text.slice(0, colon);
  const path = colon === -1 ? "" : text.slice(colon + 1);
  if (!isAggregate(kind)) {
    const hint = didYouMean(kind, AGGREGATES) || ` Functions: ${AGGREGATES.join(", ")}.`;
    throw refusal(`_aggregate=${text}: there is no function "${kind}".${hint}`);
  }
  if ((kind === "count") !== (path === "")) {
    throw refusal(
      kind === "count"
        ? `_aggregate=${text}: count takes no field; it counts the records. Example: ${EXAMPLE}`
        : `_aggregate=${text}: name a field. Example: ${EXAMPLE}`,
    );
  }
  return kind === "count"
    ? { kind, path: undefined, name: kind }
    : { kind, path: parsePath(path), name: `${kind}_${path}` };
}

function isAggregate(text: string): text is Aggregate["kind"] {
  return (AGGREGATES as readonly string[]).includes(text);
}

/** A condition names a column of the rows, whatever fields the records have. */
function parseHaving(texts: readonly string[], names: readonly string[]): Grouping["having"] {
  const reader = new FilterReader((path) => names.includes(path));
  return texts.map((text) => {
    const filter = reader.byText("_having", text);
    const column = conditionsIn(filter)
      .map(({ path }) => path.text)
      .find((name) => !names.includes(name));
    if (column === undefined) return filter;
    throw refusal(unknownColumn(`_having=${text}`, column, names));
  });
}

function refusal(message: string): StandinError {
  return new StandinError("QUERY_INVALID", message);
}

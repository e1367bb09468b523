import type { JsonObject } from "../../api/json.ts";
import { labelOf } from "../../records/relations.ts";
import { cellText } from "../../ui/cell-text.ts";
import { formatName } from "../../ui/format.ts";
import type { Column } from "../table/columns.ts";

interface CardTextProps {
  readonly record: JsonObject;
  readonly idKey: string;
  readonly columns: readonly Column[];
  /** Fields that the card shows otherwise. */
  readonly without: readonly (string | undefined)[];
}

/** Facts beside the title of a record. */
const MOST_FACTS = 2;

/** The title of a record, and some short facts. */
export function CardText({ record, idKey, columns, without }: CardTextProps) {
  const title = labelOf(record);
  const facts = columns.filter(({ name, kind, types }) => {
    const isShort = kind !== "object" && !types.includes("array") && name !== idKey;
    const value = record[name];
    return isShort && !without.includes(name) && value !== null && value !== undefined && value !== title;
  });
  return (
    <>
      <bdi class="card-title">{title ?? cellText(record[idKey] ?? null)}</bdi>
      {facts.slice(0, MOST_FACTS).map(({ name }) => (
        <span key={name} class="cut card-fact">
          {formatName(name)} <bdi>{cellText(record[name] ?? null)}</bdi>
        </span>
      ))}
    </>
  );
}

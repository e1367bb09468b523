import type { ComponentChildren } from "preact";
import { isJsonObject, type Json } from "../../api/json.ts";
import { type RecordChange, recordName } from "../../api/record-change.ts";
import { titleIn } from "../relations.ts";
import { comparedText } from "./compared-text.ts";
import { nestedDifferences } from "./nested-differences.ts";
import "./change-card.css";

interface ChangeCardProps {
  readonly change: RecordChange;
  /** The name of the record unless told otherwise. */
  readonly title?: string;
  /** The names of the two states: "Before" and "Now" unless told otherwise. */
  readonly states?: readonly [before: string, after: string];
  /** In front of the name of the record. */
  readonly mark?: ComponentChildren;
  /** Beside the name. */
  readonly actions?: ComponentChildren;
}

const STATES = ["Before", "Now"] as const;

/** One record in two states, field by field. */
export function ChangeCard(props: ChangeCardProps) {
  const { change, title: name = recordName(change), states = STATES, mark, actions } = props;
  const { kind } = change;
  const [before, after] = states;
  const fields = fieldsOf(change);
  const title = titleIn(change.after, change.before);
  return (
    <section class="change" aria-label={`${name}, ${kind}`}>
      <div class="row change-head">
        {mark}
        <h3 class="cut" title={name}>
          {name}
        </h3>
        {title !== undefined && <bdi class="cut soft">{title}</bdi>}
        <span class={`badge ${kind}`}>{kind}</span>
        {actions}
      </div>
      {fields.length === 0 && <p class="hint change-same">The same fields in another order.</p>}
      <table class="change-fields" hidden={fields.length === 0}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            {kind !== "created" && <th scope="col">{before}</th>}
            {kind !== "removed" && (
              <th scope="col" title={after}>
                {after}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {fields.map(({ field, before: was, after: is }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              {kind !== "created" && <Value value={was} other={is} look="was" />}
              {kind !== "removed" && <Value value={is} other={was} look="is" />}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A record that is a bare value has no fields. */
function fieldsOf({ before, after }: RecordChange) {
  if (!isJsonObject(before ?? {}) || !isJsonObject(after ?? {})) return [{ field: "value", before, after }];
  return nestedDifferences(isJsonObject(before) ? before : {}, isJsonObject(after) ? after : {});
}

interface ValueProps {
  readonly value: Json | undefined;
  readonly other: Json | undefined;
  readonly look: "was" | "is";
}

function Value({ value, other, look }: ValueProps) {
  const isBare = value === undefined || value === "";
  return <td class={isBare ? `${look} none` : look}>{comparedText(value, other)}</td>;
}

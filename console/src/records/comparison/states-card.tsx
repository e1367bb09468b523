import type { ComponentChildren } from "preact";
import { isJsonObject, isSameJson, type Json, type JsonObject } from "../../api/json.ts";
import { type RecordChange, recordName } from "../../api/record-change.ts";
import { titleIn } from "../relations.ts";
import { nestedDifferences } from "./nested-differences.ts";
import { valueText } from "./value-text.ts";
import "./change-card.css";

/** A state of a record: its name, and the record, null where it is not there. */
type RecordState = readonly [name: string, record: Json];

interface StatesCardProps {
  readonly record: Pick<RecordChange, "collection" | "id">;
  /** Values that are not as in the first one are marked. */
  readonly states: readonly RecordState[];
  /** Beside the name of the record. */
  readonly actions?: ComponentChildren;
  /** Below the states. */
  readonly foot?: ComponentChildren;
}

/** A record in conflict: in several states, field by field. */
export function StatesCard({ record, states, actions, foot }: StatesCardProps) {
  const name = recordName(record);
  const title = titleIn(...states.map(([, state]) => state));
  return (
    <section class="change" aria-label={`${name}, conflict`}>
      <div class="row change-head">
        <h3 class="cut" title={name}>
          {name}
        </h3>
        {title !== undefined && <bdi class="cut soft">{title}</bdi>}
        <span class="badge removed">conflict</span>
        {actions}
      </div>
      <table class="change-fields">
        <thead>
          <tr>
            <th scope="col">Field</th>
            {states.map(([state]) => (
              <th key={state} scope="col" title={state}>
                {state}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fieldsOf(states.map(([, value]) => value)).map(({ field, values }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              {values.map((value, at) => (
                <td key={at} class={lookOf(values, at)}>
                  {valueText(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {foot && <div class="cluster change-foot">{foot}</div>}
    </section>
  );
}

function lookOf(values: FieldStates["values"], at: number): string | undefined {
  const value = values[at];
  const isChanged = !isSameJson(value, values[0]);
  if (value === undefined) return isChanged ? "none differs" : "none";
  return isChanged ? "differs" : undefined;
}

interface FieldStates {
  readonly field: string;
  /** One for each state. */
  readonly values: readonly (Json | undefined)[];
}

/** The fields in which at least two of the states differ. */
function fieldsOf(records: readonly Json[]): FieldStates[] {
  const objects = records.map((record) => (isJsonObject(record) ? record : {}));
  const pairs = objects.flatMap((one, at) => objects.slice(at + 1).map((other) => nestedDifferences(one, other)));
  const names = [...new Set(pairs.flat().map(({ field }) => field))];
  return names.map((field) => ({ field, values: objects.map((record) => valueAt(record, field)) }));
}

function valueAt(record: JsonObject, field: string): Json | undefined {
  if (Object.hasOwn(record, field)) return record[field];
  const dot = field.indexOf(".");
  const inner = dot === -1 ? undefined : record[field.slice(0, dot)];
  return isJsonObject(inner) ? valueAt(inner, field.slice(dot + 1)) : undefined;
}

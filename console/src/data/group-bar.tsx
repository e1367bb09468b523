import { formatName } from "../ui/format.ts";
import { Labelled } from "../ui/labelled.tsx";
import { AGGREGATE_WORDS, AGGREGATES, type AggregateKind, type BucketKind, type Grouping } from "./grouping.ts";
import type { KnownField } from "./table/columns.ts";

interface GroupBarProps {
  readonly grouping: Grouping;
  readonly fields: readonly KnownField[];
  /** Whether records are here: before, nothing tells that a field holds dates. */
  readonly areKnown: boolean;
  /** Whether a field holds lists. */
  readonly isList: (name: string) => boolean;
  readonly onChange: (grouping: Grouping) => void;
}

/** By which fields to group, and what to show of each group. */
export function GroupBar({ grouping, fields, areKnown, isList, onChange }: GroupBarProps) {
  const { kind, of } = grouping;
  const numbers = fields.filter((field) => field.kind === "number").map(({ name }) => name);
  const names = fields.map(({ name }) => name);
  const bucketsOf = (names: readonly string[]): readonly BucketKind[] => {
    const [only = "", ...others] = names;
    if (others.length > 0) return [];
    if (isList(only)) return ["element"];
    const isTime = fields.some((field) => field.name === only && /^date/.test(field.kind));
    return isTime ? ["month", "day", "year"] : [];
  };
  const setField = (at: number, name: string): void => {
    const chosen = grouping.fields.toSpliced(at, 1, ...(name === "" ? [] : [name]));
    onChange({ ...grouping, fields: chosen, by: bucketsOf(chosen)[0] });
  };
  const buckets = bucketsOf(grouping.fields);
  const setKind = (next: AggregateKind): void => {
    onChange({ ...grouping, kind: next, of: next === "count" ? "" : of || (numbers.at(-1) ?? "") });
  };
  return (
    <div class="group-bar">
      {[...grouping.fields, ""].map((field, at) => (
        <Labelled key={at} look="inline-field" label={at === 0 ? "Group by" : "and"}>
          <select value={field} disabled={!areKnown} onChange={(event) => setField(at, event.currentTarget.value)}>
            {(at > 0 || field === "") && <option value="">–</option>}
            <Names names={names.filter((name) => name === field || !grouping.fields.includes(name))} chosen={field} />
          </select>
        </Labelled>
      ))}
      {buckets.length > 0 && (
        <Labelled look="inline-field" label="by">
          <select
            value={grouping.by ?? ""}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...grouping, by: buckets.find((one) => one === value) })
            }
          >
            <option value="">value</option>
            {buckets.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </Labelled>
      )}
      <Labelled look="inline-field" label="Show">
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value as AggregateKind)}>
          {AGGREGATES.map((one) => (
            <option key={one} value={one} disabled={one !== "count" && numbers.length === 0}>
              {AGGREGATE_WORDS[one]}
            </option>
          ))}
        </select>
      </Labelled>
      {kind !== "count" && (
        <Labelled look="inline-field" label="of">
          <select value={of} onChange={(event) => onChange({ ...grouping, of: event.currentTarget.value })}>
            <Names names={numbers} chosen={of} />
          </select>
        </Labelled>
      )}
    </div>
  );
}

/** The names to choose from, and the chosen one, which may come from a link. */
function Names({ names, chosen }: { names: readonly string[]; chosen: string }) {
  const offered = chosen === "" || names.includes(chosen) ? names : [chosen, ...names];
  return (
    <>
      {offered.map((name) => (
        <option key={name} value={name}>
          {formatName(name)}
        </option>
      ))}
    </>
  );
}

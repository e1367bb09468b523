import { useRef } from "preact/hooks";
import type { Version, VersionFilter } from "../api/history.ts";
import { formatParameters, type Pair } from "../api/parameters.ts";
import { useOverview } from "../api/use-overview.ts";
import { Labelled } from "../ui/labelled.tsx";
import { Select } from "../ui/select.tsx";

interface FilterRowProps {
  readonly filter: VersionFilter;
  readonly versions: readonly Version[];
  /** With the query of the address. */
  readonly onChange: (query: string) => void;
}

/** Limits the list to a collection, and to the changes of one origin. */
export function FilterRow({ filter, versions, onChange }: FilterRowProps) {
  const { members } = useOverview();
  const { collection = "", by = "" } = filter;
  // Once one is chosen, the others are no longer listed.
  const seen = useRef(new Set<string>());
  for (const version of versions) seen.current.add(version.by);
  const origins = [...new Set([...seen.current, ...(by === "" ? [] : [by])])].sort();
  const names = [...new Set([...members.map(({ name }) => name), ...(collection === "" ? [] : [collection])])];
  const change = (changed: VersionFilter): void => {
    const pairs = Object.entries({ collection, by, ...changed }).filter(([, value]) => value !== "");
    onChange(formatParameters(pairs as Pair[]));
  };
  return (
    <div class="cluster history-filter">
      <Labelled look="inline-field" label="Collection">
        <Select
          value={collection}
          options={[["", "All"], ...names.map((name) => [name, name] as const)]}
          onChoose={(chosen) => change({ collection: chosen })}
        />
      </Labelled>
      <Labelled look="inline-field" label="By">
        <Select
          value={by}
          options={[["", "Anyone"], ...origins.map((name) => [name, name] as const)]}
          onChoose={(chosen) => change({ by: chosen })}
        />
      </Labelled>
    </div>
  );
}

import { useEffect } from "preact/hooks";
import type { JsonObject } from "../api/json.ts";
import { newRecord } from "../records/new-record.ts";
import type { Route } from "../routes/route.ts";
import { go, goBack } from "../routes/use-route.ts";
import { type Neighbours, RecordDrawer } from "./editor/record-drawer.tsx";
import type { RecordWindows } from "./record-windows.ts";
import { idIn } from "./table/reference-labels.ts";

interface RecordPanelProps {
  readonly collection: string;
  readonly idKey: string;
  readonly route: Extract<Route, { view: "data" }>;
  readonly records: RecordWindows | undefined;
}

/** The record that a list has open, with the ways to those before and behind it. */
export function RecordPanel({ collection, idKey, route, records }: RecordPanelProps) {
  const { record } = route;
  // The code of the editor is there before it is wanted, so that what is typed after "n" is not lost.
  useEffect(() => void import("./editor/record-editor.tsx").catch(() => undefined), []);
  useEffect(() => {
    if (record.kind === "new") return () => newRecord.set(undefined);
  }, [record.kind]);
  if (record.kind === "none") return null;
  const id = record.kind === "id" ? record.id : undefined;
  const asked = newRecord.get();
  const added = id === undefined && asked?.collection === collection ? asked : undefined;
  return (
    <RecordDrawer
      key={id === undefined ? "new" : `id ${id}`}
      {...{ collection, id, preset: added?.values }}
      neighbours={id === undefined ? {} : neighboursOf(records, idKey, id)}
      onStep={(to) => go({ ...route, record: { kind: "id", id: to } }, "replace")}
      onClose={() => {
        if (added) location.hash = added.from;
        else closeRecord(route, collection);
      }}
    />
  );
}

/** A record that was opened from elsewhere closes by going back there; a new one shows the list that it is in. */
function closeRecord(route: RecordPanelProps["route"], collection: string): void {
  const list = { ...route, record: { kind: "none" } } as const;
  const isElsewhere = (from: Route): boolean => from.view !== "data" || from.member !== collection;
  if (route.record.kind === "id") goBack(isElsewhere, list);
  else go(list);
}

function neighboursOf(records: RecordWindows | undefined, idKey: string, id: string): Neighbours {
  const at = records?.placeOf((record) => idIn(record[idKey]) === id) ?? -1;
  if (!records || at < 0) return {};
  const idAt = (place: number): string | undefined => {
    const one: JsonObject | undefined = place < 0 ? undefined : records.at(place);
    return one && idIn(one[idKey]);
  };
  return { previous: idAt(at - 1), next: idAt(at + 1) };
}

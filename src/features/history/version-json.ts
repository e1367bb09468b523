import type { Json } from "../../base/json/json.ts";
import { withoutFields } from "../../schema/rules/rules.ts";
import type { AlteredMember, VersionEdit, VersionHead } from "../../store/history.ts";
import { type Id, idOf } from "../../store/ids.ts";
import type { Reads } from "../../store/store.ts";
import { editedRecord } from "../../store/stored-record.ts";
import type { HistoryEdit, HistoryVersion } from "./types.ts";
import type { WriteOnlyFields } from "./write-only-fields-of.ts";

/** A version as responses show it. */
export function shownVersion(head: VersionHead): HistoryVersion {
  const { version, time, by, kind, cause, counts, members, isKept } = head;
  return {
    version,
    time: new Date(time).toISOString(),
    by,
    kind,
    ...(cause !== undefined && { cause }),
    counts,
    summary: summaryOf(head),
    ...(members !== undefined && members.length > 0 && { members }),
    kept: isKept,
  };
}

/** A version in words: `products: 1 created, 2 updated; tags: collection created`. */
function summaryOf({ counts, members = [], cause, kind }: VersionHead): string {
  const parts = members.map(memberSummary);
  for (const [name, { created, updated, removed }] of Object.entries(counts)) {
    const done = [
      [created, "created"],
      [updated, "updated"],
      [removed, "removed"],
    ] as const;
    const words = done.flatMap(([count, word]) => (count === 0 ? [] : `${count} ${word}`));
    if (words.length > 0) parts.push(`${name}: ${words.join(", ")}`);
  }
  if (parts.length > 0) return parts.join("; ");
  return cause ?? (kind === "exchange" ? "all data replaced" : "no records changed");
}

function memberSummary({ kind, name, to }: AlteredMember): string {
  return kind === "renamed" ? `${name}: renamed to ${to}` : `${name}: collection ${kind}`;
}

/** The id of the record that was edited; null if it has none. */
export function editedId(edit: VersionEdit, store: Pick<Reads, "idKeyOf">): Id | null {
  return idOf(editedRecord(edit).value, store.idKeyOf(edit.name)) ?? null;
}

/** An edit as responses show it. */
export function shownEdit(edit: VersionEdit, store: Pick<Reads, "idKeyOf">, hidden: WriteOnlyFields): HistoryEdit {
  const { name, before, after } = edit;
  const shown = (record: VersionEdit["before"]): Json => (record ? withoutFields(record.value, hidden(name)) : null);
  return { collection: name, id: editedId(edit, store), before: shown(before), after: shown(after) };
}

import { parseJson } from "../../api/json.ts";
import { type Field, idKeyOf, type Overview, type RuledField } from "../../api/overview.ts";
import { linksIn, namingFields, parentOf } from "../../records/relations.ts";
import { storedFilesIn } from "../../records/stored-file.ts";
import { type FieldDraft, isBlank } from "./field-drafts.ts";

/** The collection that a field refers to. */
export interface Reference {
  readonly to: string;
  readonly idKey: string;
  /** The fields that name its records. */
  readonly naming: readonly string[];
}

/** The facts about a field that decide which control suits it. */
export interface FieldFacts {
  readonly rule?: RuledField | undefined;
  /** The field as its neighbours have it. */
  readonly known?: Field | undefined;
  readonly reference?: Reference | undefined;
}

/** The facts about a field of a collection or singleton. */
export function factsOf(overview: Overview, member: string, field: string): FieldFacts {
  const to = parentOf(linksIn(overview), member, field);
  return {
    rule: overview.recordRules?.[member]?.fields.find(({ name }) => name === field),
    known: overview.fields[member]?.find(({ name }) => name === field),
    reference: to === undefined ? undefined : { to, idKey: idKeyOf(overview, to), naming: namingFields(overview, to) },
  };
}

/** Whether a field holds files, or is empty and made for them. */
export function isForFile(draft: FieldDraft, { known }: FieldFacts): boolean {
  const { kind, text, isFile = known?.file !== undefined } = draft;
  if (kind === "null" || isBlank(draft) || text.trim() === "[]") return isFile;
  return kind === "json" && storedFilesIn(parseJson(text)) !== undefined;
}

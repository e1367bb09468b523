import type { Refusal } from "../../api/refusal.ts";
import { fieldOf } from "../../api/violation.ts";
import type { RecordForm } from "./record-form.ts";

/** The ids of the parts of a form, which begin with the id of the form itself. */
export function partIds(id: string) {
  return { summary: `${id}-summary`, json: `${id}-json`, field: (at: number) => `${id}-${at}` };
}

/** Moves the focus to a field, wherever it is folded away; false if the form does not show it. */
export function focusField(id: string, form: RecordForm, field: string | undefined): boolean {
  const at = form.mode === "fields" ? form.drafts.findIndex(({ name }) => name === field) : -1;
  const control = document.getElementById(partIds(id).field(at));
  control?.closest("details")?.setAttribute("open", "");
  control?.focus();
  return control !== null;
}

/** Moves the focus to the first field that a refusal names, else to the list of all that is wrong. */
export function focusFirstMarked(id: string, form: RecordForm, { violations }: Refusal): void {
  const { summary, json } = partIds(id);
  document.getElementById(summary)?.scrollIntoView({ block: "nearest" });
  const marked = new Set(violations.map(fieldOf));
  const first = form.mode === "fields" ? form.drafts.find(({ name }) => marked.has(name)) : undefined;
  if (first && focusField(id, form, first.name)) return;
  document.getElementById(form.mode === "json" ? json : summary)?.focus();
}

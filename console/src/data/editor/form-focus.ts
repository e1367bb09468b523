import type { Refusal } from "../../api/refusal.ts";
import { fieldOf } from "../../api/violation.ts";
import type { FieldDraft } from "./field-drafts.ts";
import type { RecordForm } from "./record-form.ts";

/** The share of the window above which a field is shown from its top on, not in the middle. */
const TALL = 0.5;

/** The ids of the parts of a form, which begin with the id of the form itself. */
export function partIds(id: string) {
  return { summary: `${id}-summary`, json: `${id}-json`, add: `${id}-add`, field: (at: number) => `${id}-${at}` };
}

/** The id of the control for the name of a field that was added by hand. */
export function namePartId(fieldId: string): string {
  return `${fieldId}-name`;
}

/** Moves the focus to a field and the field into sight, wherever it is; false if the form does not show it. */
export function focusField(id: string, form: RecordForm, field: string | undefined): boolean {
  const control = form.mode === "fields" ? controlFor(id, form.drafts, field) : null;
  if (!control) return false;
  control.closest("details")?.setAttribute("open", "");
  const row = control.closest<HTMLElement>(".field-row") ?? control;
  control.focus({ preventScroll: true });
  row.scrollIntoView({ block: row.offsetHeight > innerHeight * TALL ? "start" : "center" });
  return true;
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

/** Of a field whose name is missing or there twice, the control for the name. */
function controlFor(id: string, drafts: readonly FieldDraft[], field: string | undefined): HTMLElement | null {
  const places = [...drafts.keys()].filter((at) => drafts[at]?.name === field);
  const added = places.findLast((at) => drafts[at]?.isAdded);
  const isMisnamed = added !== undefined && (field === "" || places.length > 1);
  const fieldId = partIds(id).field((isMisnamed ? added : places[0]) ?? -1);
  return document.getElementById(isMisnamed ? namePartId(fieldId) : fieldId);
}

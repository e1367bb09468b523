import { ask, askJson } from "../../api/ask.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { noteChange } from "../../api/live-data.ts";
import { madeBy } from "../../records/sent-write.ts";
import { announce } from "../../records/undoing.ts";
import { type Picked, wordsFor } from "./bulk.ts";
import { choosingQuery } from "./bulk-requests.ts";
import { countSelected } from "./selection.ts";

/** A field, and the expression of its new value. */
export interface FieldExpression {
  readonly field: string;
  readonly expression: string;
}

/** The effect of an expression on the picked records. */
export interface Computed {
  /** The number of records that change. */
  readonly count: number;
  /** The first ones of them. */
  readonly examples: readonly { readonly before: JsonObject; readonly after: JsonObject }[];
}

/** Resolves to what an expression would change. */
export function tryExpression(picked: Picked, change: FieldExpression, signal: AbortSignal): Promise<Computed> {
  return askJson<Computed>("POST", pathFor(picked), { body: { ...bodyFor(picked, change), dryRun: true }, signal });
}

/** Computes a field of every picked record, in one change. Resolves to the number of records that changed. */
export async function computePicked(picked: Picked, change: FieldExpression): Promise<number> {
  const [path, body] = [pathFor(picked), bodyFor(picked, change)];
  const headers = { Prefer: `max-affected=${countSelected(picked.selection, picked.total)}` };
  const answer = await ask("POST", path, { headers, body });
  const { count } = JSON.parse(answer.text) as Computed;
  if (count === 0) return 0;
  noteChange();
  const { status, durationMs } = answer;
  const sent = { method: "POST", path, headers: Object.entries(headers), body };
  announce(`Changed ${wordsFor(count, picked)}`, { ...sent, status, durationMs, made: madeBy(answer) });
  return count;
}

function pathFor({ collection }: Picked): string {
  return `/__collections/${encodeURIComponent(collection)}/compute`;
}

function bodyFor({ query, idKey, selection }: Picked, { field, expression }: FieldExpression): { [key: string]: Json } {
  const set = { [field]: expression };
  if (selection.kind === "some") return { set, ids: [...selection.ids] };
  return { set, where: choosingQuery(query, idKey, selection.ids) };
}

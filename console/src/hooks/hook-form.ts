import type { Json, JsonObject } from "../api/json.ts";
import type { Hook } from "./hook-data.ts";

/** A hook as a person types it. */
export interface HookForm {
  readonly name: string;
  /** Events, with commas between them. */
  readonly on: string;
  readonly if: string;
  readonly to: string;
  readonly subscribers: string;
  readonly after: string;
  readonly retry: string;
  readonly as: string;
  readonly secret: string;
  readonly sandboxes: boolean;
}

export function hookFormOf(hook: Partial<Hook>): HookForm {
  const { name = "", on = "", if: condition = "", to = "", subscribers = "", after = "", retry, sign } = hook;
  return {
    name,
    on: [on].flat().join(", "),
    if: condition,
    to,
    subscribers,
    after,
    retry: retry === undefined ? "" : String(retry),
    as: sign?.as ?? "",
    secret: "",
    sandboxes: hook.sandboxes ?? false,
  };
}

/** The body to send: all keys of a new hook; for a changed one, null for each key that was removed. */
export function hookBodyOf(form: HookForm, before: Hook | undefined): JsonObject {
  const events = form.on.split(",").map((event) => event.trim());
  const { name, if: condition, to, subscribers, after, retry, sandboxes } = form;
  const body: JsonObject = {
    name: name.trim(),
    on: events.length === 1 ? (events[0] ?? "") : events,
    if: textOf(condition),
    to: textOf(to),
    subscribers: textOf(subscribers),
    after: textOf(after),
    retry: retry === "" ? null : Number(retry),
    sandboxes: sandboxes || null,
    ...signingOf(form, before),
  };
  if (before) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** The secret that the server has stays unless another one is typed. */
function signingOf({ as, secret }: HookForm, before: Hook | undefined): { sign?: Json } {
  if (as === "") return { sign: null };
  if (secret === "" && before?.sign?.as === as) return {};
  return { sign: { as, ...(secret !== "" && { secret }) } };
}

function textOf(typed: string): string | null {
  return typed.trim() === "" ? null : typed.trim();
}

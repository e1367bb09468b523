import { ask } from "./ask.ts";
import { isSameJson, type Json } from "./json.ts";
import type { Sandbox } from "./sandbox.ts";
import { createStore } from "./store.ts";

/** The sandboxes of the server, as of the last `loadSandboxes`: the newest first. */
export const sandboxList = createStore<readonly Sandbox[]>([]);

/** More of them are hard to find by looking. */
export const MANY_SANDBOXES = 8;

/** Those whose names contain a text, in any case. */
export function sandboxesNamed<S extends Pick<Sandbox, "name">>(sandboxes: readonly S[], text: string): readonly S[] {
  const wanted = text.trim().toLowerCase();
  return wanted === "" ? sandboxes : sandboxes.filter(({ name }) => name.toLowerCase().includes(wanted));
}

/** How far the clock of the server is ahead of the browser's, in milliseconds. */
export const serverAhead = createStore(0);

export async function loadSandboxes(): Promise<void> {
  const { text, headers } = await ask("GET", "/__sandboxes", { isMain: true });
  const listed = JSON.parse(text) as { sandboxes: Sandbox[] };
  const sandboxes = listed.sandboxes.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
  const date = Date.parse(headers.get("Date") ?? "");
  // The header has whole seconds, so a smaller difference says nothing.
  if (Math.abs(date - Date.now()) > 2_000) serverAhead.set(date - Date.now());
  if (!isSameJson(sandboxes as unknown as Json, sandboxList.get() as unknown as Json)) sandboxList.set(sandboxes);
}

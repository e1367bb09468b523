import { createStore } from "../api/store.ts";

/** Whether there is unsaved input, which is never discarded without a question. */
export const unsaved = createStore(false);

addEventListener("beforeunload", (event) => {
  if (unsaved.get()) event.preventDefault();
});

export function mayLeave(): boolean {
  return !unsaved.get() || confirm("Discard your unsaved changes?");
}

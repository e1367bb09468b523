import { createStore } from "../ui/store.ts";

/** Whether something was typed that is not saved: nobody is led away from it without being asked. */
export const unsaved = createStore(false);

addEventListener("beforeunload", (event) => {
  if (unsaved.get()) event.preventDefault();
});

export function mayLeave(): boolean {
  return !unsaved.get() || confirm("Discard what you typed? It has not been saved.");
}

import { createStore } from "../api/store.ts";

/** The dialog of the shell that is open. */
export type Opened = "palette" | "help" | "new-sandbox" | "new-collection";

export const opened = createStore<Opened | undefined>(undefined);

export function open(dialog: Opened): void {
  opened.set(dialog);
}

export function closeDialog(): void {
  opened.set(undefined);
}

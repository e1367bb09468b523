import { createStore } from "../api/store.ts";

/** Something that was done, in words, and the way back if there is one. */
export interface Said {
  readonly text: string;
  readonly undo?: (() => Promise<unknown>) | undefined;
}

/** Shown for a while beside the view, until something else is said. */
export const lastSaid = createStore<Said | undefined>(undefined);

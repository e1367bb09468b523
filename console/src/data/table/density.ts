import { createStore } from "../../api/store.ts";

const PLACE = "standin-density";
/** In pixels. */
const HEIGHTS = { comfortable: 40, compact: 28 } as const;

/** The height of rows, chosen once for all tables in this browser. */
export const density = createStore<keyof typeof HEIGHTS>(
  globalThis.localStorage?.getItem(PLACE) === "compact" ? "compact" : "comfortable",
);

export function toggleDensity(): void {
  const next = density.get() === "compact" ? "comfortable" : "compact";
  localStorage.setItem(PLACE, next);
  density.set(next);
}

export function rowHeightOf(chosen: keyof typeof HEIGHTS): number {
  return HEIGHTS[chosen];
}

import { BASE } from "../api/base.ts";
import { isJsonObject, parseJson } from "../api/json.ts";
import { createStore } from "../api/store.ts";

/** A list with its filters, order, columns and groups, under a name. Kept in this browser. */
export interface SavedView {
  readonly collection: string;
  readonly name: string;
  /** The query of the list's address. */
  readonly query: string;
}

const PLACE = `standin-views:${BASE}`;

export const savedViews = createStore<readonly SavedView[]>(read());

/** Keeps a view; one of the same name is replaced. */
export function saveView(view: SavedView): void {
  store([...without(view), view]);
}

export function removeView(view: SavedView): void {
  store(without(view));
}

function without({ collection, name }: SavedView): SavedView[] {
  return savedViews.get().filter((one) => one.collection !== collection || one.name !== name);
}

function store(views: readonly SavedView[]): void {
  localStorage.setItem(PLACE, JSON.stringify(views));
  savedViews.set(views);
}

function read(): SavedView[] {
  const kept = parseJson(globalThis.localStorage?.getItem(PLACE) ?? "[]");
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one) => {
    const { collection, name, query } = isJsonObject(one) ? one : {};
    const isView = typeof collection === "string" && typeof name === "string" && typeof query === "string";
    return isView ? [{ collection, name, query }] : [];
  });
}

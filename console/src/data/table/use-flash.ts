import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isSameJson, type JsonObject } from "../../api/json.ts";
import { lastChange } from "../../records/undoing.ts";
import { idIn } from "./reference-labels.ts";

/** A change from here is no news. */
const OWN_MS = 3_000;
let lastOwn = Number.NEGATIVE_INFINITY;
lastChange.listen(() => {
  lastOwn = performance.now();
});

/** Lets the cells of a row light up whose values another client has changed. */
export function useFlash(row: RefObject<HTMLElement>, record: JsonObject | undefined, idKey: string): void {
  const before = useRef<JsonObject>();
  useLayoutEffect(() => {
    const was = before.current;
    before.current = record;
    if (!was || !record || was === record || performance.now() - lastOwn < OWN_MS) return;
    const id = idIn(record[idKey]);
    if (id === undefined || idIn(was[idKey]) !== id) return;
    for (const cell of row.current?.querySelectorAll<HTMLElement>("[data-field]") ?? []) {
      const { field = "" } = cell.dataset;
      if (Object.hasOwn(was, field) && !isSameJson(was[field], record[field])) flash(cell);
    }
  }, [row, record, idKey]);
}

function flash(cell: HTMLElement): void {
  cell.classList.add("is-changed");
  cell.addEventListener("animationend", () => cell.classList.remove("is-changed"), { once: true });
}

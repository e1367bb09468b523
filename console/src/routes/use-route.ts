import { useLayoutEffect, useState } from "preact/hooks";
import { entryState, keepInEntry } from "./entry-state.ts";
import { formatRoute, parseRoute, type Route } from "./route.ts";
import { mayLeave, unsaved } from "./unsaved.ts";

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  // Together with the first drawing: a change of the address between the two would be missed.
  useLayoutEffect(() => {
    let shown = location.hash;
    keepInEntry({});
    const follow = (): void => {
      if (location.hash === shown) return;
      if (!mayLeave()) {
        history.pushState(null, "", shown);
        return;
      }
      unsaved.set(false);
      // An entry that has no state yet is new; the back button leads to one that has.
      if (history.state === null) keepInEntry({ from: shown });
      shown = location.hash;
      setRoute(parseRoute(shown));
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

/** Goes to a view. `replace` adds no history entry: typing a filter must not add one per letter. */
export function go(route: Route, how: "push" | "replace" = "push"): void {
  const hash = formatRoute(route);
  if (hash === location.hash) return;
  if (how === "push") location.hash = hash;
  else {
    const { from } = entryState();
    history.replaceState(from === undefined ? {} : { from }, "", hash);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

/** Closes what was opened from another view by going back there; `otherwise` if it was opened from its own view. */
export function goBack(isElsewhere: (from: Route) => boolean, otherwise: Route): void {
  const { from } = entryState();
  if (from !== undefined && isElsewhere(parseRoute(from))) history.back();
  else go(otherwise);
}

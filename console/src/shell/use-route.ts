import { useEffect, useState } from "preact/hooks";
import { formatRoute, parseRoute, type Route } from "./route.ts";

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const follow = (): void => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

/** Goes to a view. `replace` leaves no trace in the history: for every letter of a filter, one step back is too many. */
export function go(route: Route, how: "push" | "replace" = "push"): void {
  const hash = formatRoute(route);
  if (hash === location.hash) return;
  if (how === "push") location.hash = hash;
  else {
    history.replaceState(null, "", hash);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

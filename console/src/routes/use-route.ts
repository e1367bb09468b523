import { useEffect, useState } from "preact/hooks";
import { formatRoute, parseRoute, type Route } from "./route.ts";
import { mayLeave, unsaved } from "./unsaved.ts";

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    let shown = location.hash;
    const follow = (): void => {
      if (location.hash === shown) return;
      if (!mayLeave()) {
        history.pushState(null, "", shown);
        return;
      }
      unsaved.set(false);
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
    history.replaceState(null, "", hash);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

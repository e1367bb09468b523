import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { connection } from "../api/live-data.ts";
import { unreachable } from "../api/refusal.ts";
import { useStore } from "../api/store.ts";
import { useEvent } from "../api/use-event.ts";
import { Failure, Loading } from "./notice.tsx";

/** The view for which the page was loaded again: once is enough if it does not help. */
const RELOADED_FOR = "standin-reloaded-for";

/** Loads the page again: a browser may keep the failure of an import for as long as the page is there. */
function reloadFor(what: string): boolean {
  if (sessionStorage.getItem(RELOADED_FOR) === what) return false;
  sessionStorage.setItem(RELOADED_FOR, what);
  location.reload();
  return true;
}

/**
 * A component whose code is loaded when it is first shown, or when the server is back. `what` is named while it loads.
 */
export function lazy<Props extends object>(
  what: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [, setVersion] = useState(0);
    const [hasFailed, setFailed] = useState(false);
    const line = useStore(connection);
    const fetchCode = useEvent((isAgain: boolean): void => {
      setFailed(false);
      load().then(
        (component) => {
          loaded = component;
          sessionStorage.removeItem(RELOADED_FOR);
          setVersion((version) => version + 1);
        },
        () => {
          if (!(isAgain && line === "open" && reloadFor(what))) setFailed(true);
        },
      );
    });
    useEffect(() => {
      if (!loaded) fetchCode(false);
    }, [fetchCode]);
    const fetchAgain = useEvent(() => {
      if (hasFailed) fetchCode(true);
    });
    useEffect(() => {
      if (line === "open") fetchAgain();
    }, [fetchAgain, line]);
    if (hasFailed) return <Failure refusal={unreachable()} onRetry={fetchAgain} />;
    if (!loaded) return <Loading what={what} />;
    const Loaded = loaded;
    return <Loaded {...props} />;
  };
}

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { connection } from "../api/live-data.ts";
import { unreachable } from "../api/refusal.ts";
import { useStore } from "../api/store.ts";
import { useEvent } from "../api/use-event.ts";
import { Failure, Loading } from "./notice.tsx";

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
    const fetchCode = useEvent((): void => {
      setFailed(false);
      load().then(
        (component) => {
          loaded = component;
          setVersion((version) => version + 1);
        },
        () => setFailed(true),
      );
    });
    useEffect(() => {
      if (!loaded) fetchCode();
    }, [fetchCode]);
    const line = useStore(connection);
    const fetchAgain = useEvent(() => {
      if (hasFailed) fetchCode();
    });
    useEffect(() => {
      if (line === "open") fetchAgain();
    }, [fetchAgain, line]);
    if (hasFailed) return <Failure refusal={unreachable()} onRetry={fetchCode} />;
    if (!loaded) return <Loading what={what} />;
    const Loaded = loaded;
    return <Loaded {...props} />;
  };
}

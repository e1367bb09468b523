import { useEffect, useState } from "preact/hooks";
import { news } from "../api/live-data.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import type { Sandbox } from "../api/sandbox.ts";
import { loadSandboxes, sandboxList } from "../api/sandbox-list.ts";
import { useStore } from "../api/store.ts";

interface KnownSandboxes {
  readonly sandboxes: readonly Sandbox[];
  readonly isLoaded: boolean;
  readonly refusal: Refusal | undefined;
}

/** The sandboxes of the server: loaded now, and again when they change. */
export function useSandboxes(isWanted = true): KnownSandboxes {
  const sandboxes = useStore(sandboxList);
  const [state, setState] = useState<Omit<KnownSandboxes, "sandboxes">>({ isLoaded: false, refusal: undefined });
  useEffect(() => {
    if (!isWanted) return;
    const load = (): void =>
      void loadSandboxes().then(
        () => setState({ isLoaded: true, refusal: undefined }),
        (thrown) => setState(({ isLoaded }) => ({ isLoaded, refusal: asRefusal(thrown) })),
      );
    load();
    return news.listen(({ topic }) => {
      if (topic !== "faults") load();
    });
  }, [isWanted]);
  return { sandboxes, ...state };
}

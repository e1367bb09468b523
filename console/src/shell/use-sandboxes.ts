import { useEffect } from "preact/hooks";
import { news } from "../api/live-data.ts";
import type { Resource } from "../api/resource.ts";
import type { Sandbox } from "../api/sandbox.ts";
import { loadSandboxes, sandboxList } from "../api/sandbox-list.ts";
import { useStore } from "../api/store.ts";
import { useEvent } from "../api/use-event.ts";
import { useResource } from "../api/use-resource.ts";

/** The sandboxes of the server: loaded now, and again when they change. */
export function useSandboxes(isWanted = true): readonly [readonly Sandbox[], Resource<true>] {
  const [resource, reload] = useResource(
    () => (isWanted ? loadSandboxes().then(() => true as const) : undefined),
    [isWanted],
  );
  const follow = useEvent(reload);
  useEffect(
    () =>
      news.listen(({ topic }) => {
        if (topic === "sandboxes" || topic === "any") follow();
      }),
    [follow],
  );
  return [useStore(sandboxList), resource];
}

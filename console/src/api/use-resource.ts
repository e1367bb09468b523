import { useEffect, useState } from "preact/hooks";
import { connection, news } from "./live-data.ts";
import { failed, type Resource } from "./resource.ts";
import { useEvent } from "./use-event.ts";

/**
 * Loads something now, and again when one of `inputs` changes or `reload` is called. The value before stays until the next
 * one is here. A `load` that returns undefined waits for other inputs.
 */
export function useResource<T>(
  load: (signal: AbortSignal) => Promise<T> | undefined,
  inputs: readonly unknown[],
): readonly [Resource<T>, reload: () => void] {
  const [resource, setResource] = useState<Resource<T>>({ kind: "loading" });
  const [round, setRound] = useState(0);
  const begin = useEvent(load);
  useEffect(() => {
    const asking = new AbortController();
    begin(asking.signal)?.then(
      (value) => asking.signal.aborted || setResource({ kind: "ready", value }),
      (thrown) => asking.signal.aborted || setResource((before) => failed(before, thrown)),
    );
    return () => asking.abort();
  }, [...inputs, round]);
  return [resource, () => setRound((count) => count + 1)];
}

/** The server tells when a list has changed; numbers in it, such as the time that a sandbox has left, change silently. */
const EVERY_MS = 5_000;

/** Loads a list of the server into its store again and again, while the page is visible. */
export function useFollowed(
  topic: "faults" | "sandboxes" | "hooks",
  load: () => Promise<void>,
): readonly [Resource<true>, refresh: () => Promise<void>] {
  const [resource, setResource] = useState<Resource<true>>({ kind: "loading" });
  const refresh = useEvent(async (): Promise<void> => {
    try {
      await load();
      setResource((before) => (before.kind === "ready" ? before : { kind: "ready", value: true }));
    } catch (thrown) {
      setResource((before) => failed(before, thrown));
    }
  });
  const isOff = resource.kind === "off";
  useEffect(() => {
    if (isOff) return;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const round = async (): Promise<void> => {
      clearTimeout(timer);
      if (!document.hidden) await refresh();
      clearTimeout(timer);
      if (!isOver) timer = setTimeout(round, EVERY_MS);
    };
    const ends = [
      news.listen((told) => {
        if (told.topic === topic || told.topic === "any") void round();
      }),
      connection.listen((now) => {
        if (now === "lost") void round();
      }),
    ];
    void round();
    return () => {
      isOver = true;
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [topic, isOff, refresh]);
  return [resource, refresh];
}

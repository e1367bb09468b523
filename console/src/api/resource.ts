import { useEffect, useState } from "preact/hooks";
import { connection, news } from "./live-data.ts";
import { asRefusal, type Refusal } from "./refusal.ts";
import { useEvent } from "./use-event.ts";

/** Something of the server: on its way, switched off there, not loaded, or here. */
export type Resource<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "off"; readonly refusal: Refusal }
  | {
      readonly kind: "failed";
      readonly refusal: Refusal;
      /** The state before, which may be out of date. */
      readonly last?: T;
    }
  | { readonly kind: "ready"; readonly value: T };

/** Features that are off stay off until the server starts again. */
const OFF_CODES = ["ROUTE_NOT_FOUND", "SANDBOXES_OFF"];

/** The value, even one that may be out of date; undefined if there never was one. */
export function lastOf<T>(resource: Resource<T>): T | undefined {
  if (resource.kind === "ready") return resource.value;
  return resource.kind === "failed" ? resource.last : undefined;
}

/** Why it is not here, or not up to date. */
export function refusalIn(resource: Resource<unknown>): Refusal | undefined {
  return resource.kind === "failed" || resource.kind === "off" ? resource.refusal : undefined;
}

function failed<T>(before: Resource<T>, thrown: unknown): Resource<T> {
  const refusal = asRefusal(thrown);
  if (OFF_CODES.includes(refusal.code)) return { kind: "off", refusal };
  const last = lastOf(before);
  return { kind: "failed", refusal, ...(last !== undefined && { last }) };
}

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
  topic: "faults" | "sandboxes",
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

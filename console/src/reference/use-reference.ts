import { useEffect } from "preact/hooks";
import { askJson } from "../api/ask.ts";
import { BASE } from "../api/base.ts";
import type { JsonObject } from "../api/json.ts";
import { connection } from "../api/live-data.ts";
import { asRefusal } from "../api/refusal.ts";
import type { Resource } from "../api/resource.ts";
import { createStore, useStore } from "../api/store.ts";
import { useOverview } from "../api/use-overview.ts";
import { type Reference, readReference } from "./reference.ts";

/** Survives a change of view, so that the page is there at once the next time. */
const reference = createStore<Resource<Reference>>({ kind: "loading" });

/** The description of the API, loaded again when collections or their fields change. */
export function useReference(): readonly [Resource<Reference>, reload: () => void] {
  const { members, fields } = useOverview();
  const shape = JSON.stringify([members.map(({ name }) => name), fields]);
  useEffect(() => void load(), [shape]);
  const line = useStore(connection);
  useEffect(() => {
    if (line === "open" && reference.get().kind === "failed") void load();
  }, [line]);
  return [useStore(reference), () => void load()];
}

async function load(): Promise<void> {
  try {
    const root = await askJson<JsonObject>("GET", "/__openapi.json");
    const read = readReference(root);
    // Requests are prefixed with the sandbox already.
    const basePath = read.basePath.startsWith(BASE) ? read.basePath.slice(BASE.length) : read.basePath;
    reference.set({ kind: "ready", value: { ...read, basePath } });
  } catch (thrown) {
    // The last description stays visible.
    if (reference.get().kind !== "ready") reference.set({ kind: "failed", refusal: asRefusal(thrown) });
  }
}

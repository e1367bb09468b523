import { useEffect, useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import { isJsonObject, type JsonObject, parseJson } from "../api/json.ts";
import { useOverview } from "../api/use-overview.ts";

/** A record of each collection by name: the best example of what the API returns. */
export type Samples = Readonly<Record<string, JsonObject>>;

const NONE: Samples = {};

/** Fetches a record of each named collection. Until it is there, or if there is none, examples come from the schema. */
export function useSamples(names: readonly string[]): Samples | undefined {
  const { members } = useOverview();
  const wanted = members.filter(({ name }) => names.includes(name));
  const [samples, setSamples] = useState(wanted.length === 0 ? NONE : undefined);
  useEffect(() => {
    if (wanted.length === 0) return;
    const stop = new AbortController();
    const fetchOne = async (name: string, kind: string): Promise<[string, JsonObject][]> => {
      const path = `/${encodeURIComponent(name)}${kind === "collection" ? "?_limit=1" : ""}`;
      const value = parseJson((await ask("GET", path, { signal: stop.signal })).text);
      const record = Array.isArray(value) ? value[0] : value;
      return isJsonObject(record) ? [[name, record]] : [];
    };
    void Promise.all(wanted.map(({ name, kind }) => fetchOne(name, kind).catch(() => []))).then((found) => {
      if (!stop.signal.aborted) setSamples(Object.fromEntries(found.flat()));
    });
    return () => stop.abort();
  }, [names.join("/")]);
  return samples;
}

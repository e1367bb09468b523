import { ask } from "../api/ask.ts";
import { isJsonObject, type JsonObject, parseJson } from "../api/json.ts";
import type { Member } from "../api/overview.ts";
import { lastOf } from "../api/resource.ts";
import { useOverview } from "../api/use-overview.ts";
import { useResource } from "../api/use-resource.ts";

/** A record of each collection by name: the best example of what the API returns. */
export type Samples = Readonly<Record<string, JsonObject>>;

const NONE: Samples = {};

/** Fetches a record of each named collection. Until it is there, or if there is none, examples come from the schema. */
export function useSamples(names: readonly string[]): Samples | undefined {
  const { members } = useOverview();
  const wanted = members.filter(({ name }) => names.includes(name));
  const [samples] = useResource(
    (signal) => (wanted.length === 0 ? undefined : fetchSamples(wanted, signal)),
    [names.join("/")],
  );
  return wanted.length === 0 ? NONE : lastOf(samples);
}

async function fetchSamples(members: readonly Member[], signal: AbortSignal): Promise<Samples> {
  const fetchOne = async ({ name, kind }: Member): Promise<[string, JsonObject][]> => {
    const path = `/${encodeURIComponent(name)}${kind === "collection" ? "?_limit=1" : ""}`;
    const value = parseJson((await ask("GET", path, { signal })).text);
    const record = Array.isArray(value) ? value[0] : value;
    return isJsonObject(record) ? [[name, record]] : [];
  };
  return Object.fromEntries((await Promise.all(members.map((member) => fetchOne(member).catch(() => [])))).flat());
}

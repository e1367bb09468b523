import type { Json, JsonObject } from "../json.ts";
import { type Doing, REFUSALS, refusals } from "./error-responses.ts";
import type { ServerFacts } from "./facts.ts";
import { layerHeaders, security } from "./layer-effects.ts";
import { headers, parameters } from "./parts.ts";

type Make = (doing: Doing, operationId: string, summary: string, parts: JsonObject, isWrite?: boolean) => JsonObject;

const READS: ReadonlySet<Doing> = new Set(["list", "read", "own"]);

/** Makes operations under a tag, with what all of them have: guards, refusals, headers of layers, 304, a delay. */
export function operation(tag: string, { layers, isReadOnly }: ServerFacts): Make {
  return (doing, operationId, summary, parts, isWrite = !READS.has(doing)) => {
    const given = parts.responses as JsonObject;
    const own = Object.entries(given).map(([status, response]) => [status, withLayerHeaders(response!, layers)]);
    const asked = (parts.parameters as JsonObject[] | undefined) ?? [];
    const isConditional = asked.some(({ $ref }) => $ref === "#/components/parameters/if-none-match");
    const readOnly = isWrite && isReadOnly ? (["READ_ONLY"] as const) : [];
    return {
      operationId,
      tags: [tag],
      summary,
      ...security(layers, isWrite),
      ...parts,
      parameters: [...asked, ...parameters("delay", ...(isWrite ? [] : ["callback"]))],
      responses: {
        ...Object.fromEntries(own),
        ...(isConditional ? { 304: { description: "Nothing has changed" } } : {}),
        ...refusals([...REFUSALS[doing], ...readOnly], layers),
      },
    };
  };
}

function withLayerHeaders(response: Json, layers: readonly string[]): JsonObject {
  const made = response as JsonObject;
  const names = layerHeaders(layers);
  if (names.length === 0) return made;
  return { ...made, headers: { ...(made.headers as JsonObject | undefined), ...headers(...names).headers } };
}

import type { ErrorCode } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json/json.ts";
import type { LayerTraits } from "../../layers/layer.ts";
import { type Doing, REFUSALS, refusals } from "./error-responses.ts";
import type { ServerFacts } from "./facts.ts";
import { security } from "./layer-effects.ts";
import { headers, parameters } from "./parts.ts";

/** The parts of an operation in the words of OpenAPI, and whether it writes. */
type OperationParts = JsonObject & { readonly summary: string; readonly isWrite?: boolean };

type Make = (doing: Doing, operationId: string, parts: OperationParts) => JsonObject;

/** Refusals that depend on what the operation is about. */
type MoreRefusals = (doing: Doing) => readonly ErrorCode[];

const READS: ReadonlySet<Doing> = new Set(["list", "read", "read-singleton", "own"]);

/** Describes operations under a tag, with the parts they share: guards, errors, headers of layers, 304, a delay. */
export function operation(tag: string, { layers, isReadOnly }: ServerFacts, more: MoreRefusals = () => []): Make {
  return (doing, operationId, { summary, isWrite = !READS.has(doing), ...parts }) => {
    const own = Object.entries(parts.responses as JsonObject).map(([status, response]) => [
      status,
      withLayerHeaders(response!, layers),
    ]);
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
        ...refusals([...REFUSALS[doing], ...more(doing), ...readOnly], layers),
      },
    };
  };
}

function withLayerHeaders(response: Json, layers: readonly LayerTraits[]): JsonObject {
  const made = response as JsonObject;
  const names = [...new Set(layers.flatMap(({ headers = [] }) => headers))];
  if (names.length === 0) return made;
  return { ...made, headers: { ...(made.headers as JsonObject | undefined), ...headers(...names).headers } };
}

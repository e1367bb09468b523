import type { JsonObject } from "../../base/json/json.ts";
import type { LayerTraits } from "../../layers/layer.ts";

/** The facts about a server that the description of any of its routes depends on. */
export interface ServerFacts {
  /** Layers and, by their files, interceptors, in their order. */
  readonly layers: readonly LayerTraits[];
  readonly isReadOnly: boolean;
}

/** Paths of an OpenAPI document, and the schemas they refer to. */
export interface DescribedPaths {
  readonly paths: JsonObject;
  readonly schemas?: JsonObject;
  /** Each method takes the place of the same one on a path of the data. Data hides the path as a whole otherwise. */
  readonly isWinning?: true;
}

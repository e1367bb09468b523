import type { Layer, LayerDefinition, LayerTools, LayerTraits } from "./layer.ts";
import type { LayerSettings } from "./settings.ts";

/** Every built-in layer by its name in `middlewares`. A layer that is not listed is not even loaded. */
const LAYERS = {
  logger: async () => (await import("./logger.ts")).loggerLayer,
  cors: async () => (await import("./cors.ts")).corsLayer,
  latency: async () => (await import("./latency.ts")).latencyLayer,
  "api-key": async () => (await import("./api-key.ts")).apiKeyLayer,
  bearer: async () => (await import("./bearer.ts")).bearerLayer,
  "signed-token": async () => (await import("./signed-token.ts")).signedTokenLayer,
  "sign-in": async () => (await import("./sign-in.ts")).signInLayer,
  "rate-limit": async () => (await import("./rate-limit.ts")).rateLimitLayer,
} as const satisfies Record<string, () => Promise<LayerDefinition>>;

export type LayerName = keyof typeof LAYERS;
export const LAYER_NAMES = Object.keys(LAYERS) as LayerName[];

export function isLayerName(name: string): name is LayerName {
  return Object.hasOwn(LAYERS, name);
}

/** Makes a layer from its settings; throws a `StartError` on a missing, wrong or unsafe one. */
export async function createLayer(
  name: LayerName,
  settings: LayerSettings,
  tools: LayerTools,
): Promise<LayerTraits & { readonly layer: Layer }> {
  const { create, ...traits } = await LAYERS[name]();
  const layer = create(settings, tools);
  settings.refuseUnknown();
  return { ...traits, layer };
}

/** The traits of all layers, whether they are listed or not. */
export function loadLayerTraits(): Promise<LayerTraits[]> {
  return Promise.all(LAYER_NAMES.map((name) => LAYERS[name]()));
}

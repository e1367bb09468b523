import type { Layer, LayerTools } from "./layer.ts";
import type { LayerSettings } from "./settings.ts";

type Create = (settings: LayerSettings, tools: LayerTools) => Promise<Layer>;

/** Every built-in layer by its name in `middlewares`. A layer that is not listed is not even loaded. */
const LAYERS = {
  logger: async () => (await import("./logger.ts")).logger(),
  cors: async (settings) => {
    const { cors, readCorsOptions } = await import("./cors.ts");
    return cors(readCorsOptions(settings));
  },
  latency: async (settings, tools) => {
    const { latency, readLatencyOptions } = await import("./latency.ts");
    return latency(readLatencyOptions(settings), tools);
  },
  "api-key": async (settings, tools) => {
    const { apiKey, readApiKeyOptions } = await import("./api-key.ts");
    return apiKey(readApiKeyOptions(settings), tools);
  },
  bearer: async (settings) => {
    const { bearer, readBearerOptions } = await import("./bearer.ts");
    return bearer(readBearerOptions(settings));
  },
  "signed-token": async (settings, tools) => {
    const { signedToken, readSignedTokenOptions } = await import("./signed-token.ts");
    return signedToken(readSignedTokenOptions(settings, tools), tools);
  },
  "rate-limit": async (settings, tools) => {
    const { rateLimit, readRateLimitOptions } = await import("./rate-limit.ts");
    return rateLimit(readRateLimitOptions(settings), tools);
  },
} as const satisfies Record<string, Create>;

export type LayerName = keyof typeof LAYERS;
export const LAYER_NAMES = Object.keys(LAYERS) as LayerName[];

export function isLayerName(name: string): name is LayerName {
  return Object.hasOwn(LAYERS, name);
}

/** Makes a layer from its settings; throws a `StartError` on a missing, wrong or unsafe one. */
export async function createLayer(name: LayerName, settings: LayerSettings, tools: LayerTools): Promise<Layer> {
  const create: Create = LAYERS[name];
  const layer = await create(settings, tools);
  settings.refuseUnknown();
  return layer;
}

import type { JsonObject } from "../base/json/json.ts";
import type { Plugin } from "../features/plugins/types.ts";

/**
 * Types a plugin. A plain object of the same shape works as well, without installing anything.
 *
 * @example
 * export default definePlugin<Shop>({
 *   name: "dashboard",
 *   routes: { "GET /dashboard": async ({ db }) => ({ products: (await db.products.find()).length }) },
 * });
 */
export function definePlugin<Data extends object = JsonObject, Options extends object = Record<string, unknown>>(
  plugin: Plugin<Data, Options>,
): Plugin<Data, Options> {
  return plugin;
}

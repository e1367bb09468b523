import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Builds for places without Node, such as a page or a service worker: `name.web.ts` takes the place of the `name.ts`
 * beside it. Nothing of Node may be left then.
 *
 * @type {import("esbuild").Plugin}
 */
export const webHalves = {
  name: "web-halves",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const half = join(resolveDir, path.replace(/\.ts$/, ".web.ts"));
      return existsSync(half) ? { path: half } : undefined;
    });
    onResolve({ filter: /^node:/ }, ({ path, importer }) => ({
      errors: [{ text: `${importer} imports ${path}, which a page does not have. Import it by src/base/platform.` }],
    }));
  },
};

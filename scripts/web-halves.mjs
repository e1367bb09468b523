import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Builds for places without Node, such as a page or a service worker: `name.web.ts` takes the place of the `name.ts`
 * beside it, and so does the half of another suffix before it. Nothing of Node may be left then.
 *
 * @returns {import("esbuild").Plugin}
 */
export const webHalves = (...suffixes) => ({
  name: "web-halves",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const halves = [...suffixes, "web"].map((suffix) => join(resolveDir, path.replace(/\.ts$/, `.${suffix}.ts`)));
      const half = halves.find((file) => existsSync(file));
      return half === undefined ? undefined : { path: half };
    });
    onResolve({ filter: /^node:/ }, ({ path, importer }) => ({
      errors: [{ text: `${importer} imports ${path}, which a page does not have. Import it by src/base/platform.` }],
    }));
  },
});

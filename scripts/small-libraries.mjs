import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/** Of the header fields that the library negotiates, a worker looks at `Accept` alone. */
const MEDIA_TYPES_ALONE = `
import preferredMediaTypes from "./lib/mediaType.js";
export default class {
  constructor(request) {
    this.request = request;
  }
  mediaType(available) {
    return preferredMediaTypes(this.request.headers.accept, available)[0];
  }
}`;

/** The head of `pluralize` asks for three kinds of modules, and so brings a stand-in for `require`. */
const KINDS_OF_MODULES = /^\(function \(root, pluralize\) \{.*?^\}\)\(this, function/ms;

/** @type {import("esbuild").Plugin} */
export const smallLibraries = {
  name: "small-libraries",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]negotiator[\\/]index\.js$/ }, ({ path }) => ({
      contents: MEDIA_TYPES_ALONE,
      resolveDir: dirname(path),
    }));
    onLoad({ filter: /[\\/]pluralize[\\/]pluralize\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const contents = text.replace(KINDS_OF_MODULES, "export default (function").replace(/\}\);\s*$/, "})();");
      if (!contents.includes("export default")) throw new Error(`${path} begins in another way.`);
      return { contents };
    });
  },
};

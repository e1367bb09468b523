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

/** What is used of libraries that are no ES modules, of which a bundler leaves out nothing. */
const USED = {
  "content-type[\\\\/]dist": "export { parse };",
  "path-to-regexp": "const isarray = Array.isArray; export default Object.assign(pathToRegexp, { parse });",
  fresh: "export default fresh;",
};
const NO_ES_MODULE = /^(?:Object\.defineProperty\(exports|exports\.|module\.exports|var isarray = require).*$/gm;

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
    for (const [name, used] of Object.entries(USED)) {
      onLoad({ filter: new RegExp(`[\\\\/]node_modules[\\\\/]${name}[\\\\/]index\\.js$`) }, ({ path }) => ({
        contents: `${readFileSync(path, "utf8").replace(NO_ES_MODULE, "")}\n${used}`,
      }));
    }
  },
};

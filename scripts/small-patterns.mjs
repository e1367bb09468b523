import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { transform } from "esbuild";

const TABLES = resolve("src/base/platform/unicode-tables.worker.ts");

/** Faster ways for some patterns, which the engine works without, and the search for groups. */
const STUBS = {
  Backtracker: "const Backtracker = { maxBitStateLen: () => -1 };",
  DFA: "const DFA = class { match() { return null; } };",
  Matcher: "const Matcher = class {};",
  MatcherInput: "const MatcherInput = {}, MatcherInputBase = class {};",
  OnePass: "const OnePass = { compile: () => null };",
  Prefilter: "const Prefilter = { Type: {} }, PrefilterTree = { build: () => ({}) };",
};

/** Methods that print a pattern, or do more with a text than to judge it. */
const LEFT_OUT = {
  Regexp: /^(?:toString|appendTo|quoteIfHyphen)$/,
  RE2: /^(?:compilePOSIX|initTest|toString|replace\w+|pad|allMatches|find\w*)$/,
  Inst: /^(?:toString|escapeRunes)$/,
  Prog: /^toString$/,
  CharClass: /^(?:toString|charClassToString)$/,
  Utils: /^(?:escapeRune|quoteMeta)$/,
  index: /^(?:quote\w*|initTest|exec|split|matchAll|equals|toString)$/,
};
const METHOD = /^\t(?:static )?\*?(\w+)\(.*\) \{\n(?:(?!\t\}$).*\n)*\t\}\n/gm;

/** Members get short names, except those of the language and those that we use. */
const LONG = /^[a-z]\w{4,}$/;
const USED = ["compile", "translateRegExp", "programSize", "getLo", "getHi", "getStride"];
const LANGUAGE = [Object, Array, String, Number, Map, Set, RegExp, Error, Uint8Array, TextEncoder, TextDecoder, Math]
  .flatMap((type) => [type, type.prototype, type.prototype && Object.getPrototypeOf(type.prototype)])
  .flatMap((object) => Object.getOwnPropertyNames(object ?? {}).filter((name) => LONG.test(name)));
const KNOWN = new RegExp(`^(?:${[...USED, ...LANGUAGE].join("|")})$`);

/**
 * Makes the engine of patterns less than half as large: leaves out its Unicode tables, which a browser knows, those of
 * its ways to match that others can stand in for, and methods that are not called.
 *
 * @type {import("esbuild").Plugin}
 */
export const smallPatterns = {
  name: "small-patterns",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]re2js[\\/]build[\\/]index\.js$/ }, async ({ path }) => {
      const [head, ...parts] = readFileSync(path, "utf8").split(/^\/\/ src\/(?=\w+\.js$)/m);
      const sections = new Map(parts.map((part) => [part.slice(0, part.indexOf(".js")), part.replace(/^.*\n/, "")]));
      const stubs = { ...STUBS, UnicodeTables: tablesLike(sections.get("UnicodeTables")) };
      for (const [name, stub] of Object.entries(stubs)) {
        if (!sections.has(name)) throw new Error(`${path} has no ${name} any more.`);
        sections.set(name, `${stub}\n`);
      }
      for (const [name, names] of Object.entries(LEFT_OUT))
        sections.set(name, withoutMethods(sections.get(name), names));
      const { code } = await transform([head, ...sections.values()].join(""), {
        mangleProps: LONG,
        reserveProps: KNOWN,
      });
      return { contents: code, loader: "js", resolveDir: resolve(".") };
    });
  },
};

function withoutMethods(section, names) {
  const shorter = section.replaceAll(METHOD, (method, name) => (names.test(name) ? "" : method));
  if (shorter === section) throw new Error(`The engine of patterns has no ${names} any more.`);
  return shorter;
}

/** Tables of the same names. */
function tablesLike(section) {
  const names = ["CATEGORIES", "SCRIPTS"].map((map) => {
    const [, entries] = new RegExp(`static ${map} = new LazyMap\\(\\{(.*?)^\\t\\}\\);`, "ms").exec(section);
    return JSON.stringify(Array.from(entries.matchAll(/^\t\t(\w+):/gm), ([, name]) => name).join(" "));
  });
  const lists = names.map((list) => `${list}.split(" ")`).join(", ");
  return `import { createUnicodeTables } from ${JSON.stringify(TABLES)};
const UnicodeTables = /* @__PURE__ */ createUnicodeTables(${lists});`;
}

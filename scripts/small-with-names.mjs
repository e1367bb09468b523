import { minify, parseAst } from "vite";

/** Node prints the line of code that throws an error that is not caught: a whole bundle would hide the message. */
const LINE_LENGTH = 1500;

/** The code that every start runs. */
const CORE = /\bserve-\w{8}\.js$/;

/**
 * Shortens code as far as a stack can still be read: classes keep their names, functions of what every start runs, too,
 * and lines end. Other parts have files of their own, whose names tell where an error came from.
 *
 * @param {string} file tells whether it is an ES module.
 * @param {string} text
 */
export async function smallWithNames(file, text) {
  const keepNames = { function: CORE.test(file), class: true };
  const { code, errors } = await minify(file, text, {
    module: file.endsWith(".js"),
    sourcemap: false,
    compress: { target: "es2023", keepNames },
    mangle: { toplevel: true, keepNames },
  });
  if (errors?.length > 0) throw new Error(errors[0].message);
  // What is left of the banner in files that need no require.
  return inLines(code.replace(/^(?:import ?"node:module";|import\.meta\.url;)+/, ""), file);
}

/** Begins a line before a statement, a member of a class, or what follows a comma: white space has no meaning there. */
function inLines(code, file) {
  const lines = [];
  let begun = 0;
  for (const start of startsIn(parseAst(code, { lang: "js", sourceType: sourceTypeOf(file) })).sort((a, b) => a - b)) {
    if (start - begun < LINE_LENGTH) continue;
    lines.push(code.slice(begun, start));
    begun = start;
  }
  return [...lines, code.slice(begun)].join("\n");
}

function sourceTypeOf(file) {
  return file.endsWith(".js") ? "module" : "commonjs";
}

/** The places of a syntax tree where a line may begin. */
function startsIn(tree) {
  const starts = [];
  const waiting = [tree];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const [name, value] of Object.entries(node)) {
      const isList = Array.isArray(value);
      const children = (isList ? value : [value]).filter((child) => typeof child?.type === "string");
      waiting.push(...children);
      // White space in a template is text.
      if (isList && name !== "quasis")
        starts.push(...children.slice(name === "body" ? 0 : 1).map(({ start }) => start));
    }
  }
  return starts;
}

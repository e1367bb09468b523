import { Script } from "node:vm";
import { parseAst } from "vite";

/**
 * Turns an ES module into a script, whose compiled code Node can keep: a function that returns the values of its exports.
 * The module may import parts of Node only, and must assign each export once.
 *
 * @param {string} code
 */
export function asScript(code) {
  const tree = parseAst(code, { lang: "js", sourceType: "module" });
  const imports = [];
  const exported = [];
  const edits = [];
  for (const node of tree.body) {
    if (node.type === "ImportDeclaration") imports.push(requireOf(node));
    else if (node.type === "ExportNamedDeclaration" && !node.declaration && !node.source)
      exported.push(...node.specifiers);
    else if (node.type.startsWith("Export"))
      throw new Error(`A script cannot have ${code.slice(node.start, node.end)}`);
    else continue;
    edits.push({ start: node.start, end: node.end, text: "" });
  }
  for (const { type, start, end, options } of nodesOf(tree)) {
    if (options) throw new Error(`A script cannot have ${code.slice(start, end)}`);
    // Kept code loses what a script would need for an import() of its own.
    if (type === "ImportExpression") edits.push({ start, end: start + "import".length, text: "__import" });
    if (type === "MetaProperty" && code.startsWith("import", start)) edits.push({ start, end, text: "__meta" });
  }
  const body = edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code);
  const values = exported.map(({ local }) => local.name);
  const script = inAscii(
    `(function(require,__import,__meta){"use strict";${imports.join("")}${body};return[${values}]})`,
  );
  new Script(script);
  return { script, names: exported.map(({ exported: { name } }) => name) };
}

/** Whoever imports from the script gets the values that its exports have when it ends: none may be assigned later. */
export function checkExports(code) {
  const tree = parseAst(code, { lang: "js", sourceType: "module" });
  const exported = new Set(
    tree.body.flatMap(({ type, specifiers = [] }) =>
      type === "ExportNamedDeclaration" ? specifiers.map(({ local }) => local.name) : [],
    ),
  );
  for (const { type, left, argument } of nodesOf(tree)) {
    const target = type === "AssignmentExpression" ? left : type === "UpdateExpression" ? argument : undefined;
    if (target?.type === "Identifier" && exported.has(target.name))
      throw new Error(`${target.name} is exported and assigned.`);
  }
}

function requireOf({ source: { value }, specifiers }) {
  if (!value.startsWith("node:")) throw new Error(`A script cannot import ${value}.`);
  const named = specifiers.filter(({ type }) => type === "ImportSpecifier");
  const whole = specifiers.filter(({ type }) => type !== "ImportSpecifier");
  const from = `=require(${JSON.stringify(value)});`;
  return [
    ...whole.map(({ local }) => `const ${local.name}${from}`),
    ...(named.length > 0
      ? [`const{${named.map(({ imported, local }) => `${imported.name}:${local.name}`)}}${from}`]
      : []),
  ].join("");
}

function* nodesOf(tree) {
  const waiting = [tree];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    for (const value of Object.values(node)) {
      waiting.push(...[value].flat().filter((child) => typeof child?.type === "string"));
    }
  }
}

/** Literals alone have letters beyond ASCII; Node reads and compiles ASCII faster. */
function inAscii(text) {
  return text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

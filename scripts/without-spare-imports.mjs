import { dirname, join } from "node:path";
import { parseAst } from "vite";

/**
 * Removes the imports of nothing whose file the other imports of theirs load anyway: esbuild writes one for each chunk that a
 * part needs, however far away.
 *
 * @param {ReadonlyMap<string, string>} texts of ES modules, by their files
 */
export function withoutSpareImports(texts) {
  const imports = new Map([...texts].map(([file, text]) => [file, importsIn(file, text)]));
  const reach = (file, loaded) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { target } of imports.get(file) ?? []) reach(target, loaded);
  };
  return new Map(
    [...texts].map(([file, text]) => {
      const found = imports.get(file);
      const loaded = new Set();
      for (const { target, isBare } of found) if (!isBare) reach(target, loaded);
      const spare = found.filter(({ target, isBare }) => {
        const isSpare = isBare && loaded.has(target);
        if (isBare) reach(target, loaded);
        return isSpare;
      });
      return [file, spare.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)];
    }),
  );
}

/** The files that a file loads with it. */
function importsIn(file, text) {
  return parseAst(text, { lang: "js", sourceType: "module" }).body.flatMap(({ source, specifiers, start, end }) =>
    source?.value.startsWith(".")
      ? [{ target: join(dirname(file), source.value), isBare: specifiers?.length === 0, start, end }]
      : [],
  );
}

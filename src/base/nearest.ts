import { distance as editDistance } from "fastest-levenshtein";

/** The known name that was most likely meant; undefined when none is near enough to be a typing mistake. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  // Two transposed letters are a distance of two, so names from four letters on may differ by that much.
  let bestDistance = Math.max(word.length < 4 ? 1 : 2, Math.floor(word.length / 3)) + 1;
  for (const name of known) {
    // A much longer or shorter name cannot be near; skipping it saves time.
    if (Math.abs(name.length - word.length) >= bestDistance) continue;
    const far = editDistance(wanted, name.toLowerCase());
    if (far < bestDistance) {
      best = name;
      bestDistance = far;
    }
  }
  return best;
}

/** ` Did you mean "products"?`, or an empty text, to be appended to a message. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const name = nearest(word, known);
  return name === undefined ? "" : ` Did you mean "${name}"?`;
}

/** Other tools' names of options; the first one that standin has is meant. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  apiPrefix: ["base"],
  database: ["source", "data"],
  db: ["source", "data"],
  file: ["source"],
  filename: ["source"],
  fixtures: ["source", "data"],
  fks: ["foreignKeySuffix"],
  hostname: ["host"],
  idField: ["id"],
  latency: ["delay"],
  openapi: ["source"],
  path: ["source"],
  prefix: ["base"],
  primaryKey: ["id"],
  proxy: ["upstream"],
  public: ["static"],
  publicDir: ["static"],
  responseTime: ["delay"],
  rewrites: ["routes"],
  ro: ["readOnly"],
  schema: ["rules"],
  schemas: ["rules"],
  spec: ["source"],
  timing: ["delay"],
};

/** The option that another tool's word stands for. */
export function synonymOf(word: string, known: readonly string[]): string | undefined {
  return Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word]?.find((name) => known.includes(name)) : undefined;
}

/** The option that an unknown name was probably meant to be: another tool's word for it, or the nearest name. */
export function meantOption(name: string, known: readonly string[]): string | undefined {
  return synonymOf(name, known) ?? nearest(name, known);
}

import { nearest } from "./nearest.ts";

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
export function synonymOf(given: string, known: readonly string[]): string | undefined {
  return Object.hasOwn(SYNONYMS, given) ? SYNONYMS[given]?.find((name) => known.includes(name)) : undefined;
}

/** The option that an unknown name was probably meant to be: another tool's word for it, or the nearest name. */
export function meantOption(given: string, known: readonly string[]): string | undefined {
  return synonymOf(given, known) ?? nearest(given, known);
}

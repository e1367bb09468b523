/** Patterns of paths in which `*` stands for any characters: `/v1/*`. */
export interface PathFilterOptions {
  /** Only these paths; all unless given. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** Whether paths are to be recorded. */
export function createPathFilter({ include = [], exclude = [] }: PathFilterOptions): (path: string) => boolean {
  const fitsAny = (patterns: readonly string[], path: string): boolean =>
    patterns.some((pattern) => fits(pattern.split("*"), path));
  return (path) => (include.length === 0 || fitsAny(include, path)) && !fitsAny(exclude, path);
}

/** Takes each part at its first place, which is enough where only `*` is between them. Linear for each part. */
function fits(parts: readonly string[], path: string): boolean {
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

/**
 * Whether a path fits a pattern: `:name` stands for one part of it, `*` for one or more, anything else for itself. Case
 * does not count, nor does a slash at the end.
 *
 * @example
 * createPathMatch("/products/:id")("/products/7"); // true
 */
export function createPathMatch(pattern: string): (path: string) => boolean {
  const wanted = partsOf(pattern);
  return (path) => fits(wanted, partsOf(path));
}

/** Goes back to the latest `*` alone, so the time is bounded by the product of the lengths. */
function fits(wanted: readonly string[], given: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let taken = 0;
  for (let position = 0; position < given.length; ) {
    if (wanted[at] === "*") {
      star = at++;
      taken = ++position;
    } else if (at < wanted.length && isSame(wanted[at]!, given[position]!)) {
      at++;
      position++;
    } else if (star !== -1) {
      at = star + 1;
      position = ++taken;
    } else return false;
  }
  return at === wanted.length;
}

function isSame(wanted: string, given: string): boolean {
  return wanted.startsWith(":") ? given !== "" : wanted === given;
}

function partsOf(path: string): string[] {
  return path
    .replace(/(?<=.)\/$/, "")
    .toLowerCase()
    .split("/")
    .slice(1);
}

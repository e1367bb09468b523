/** A page has no files: none is there, and none can be read. */
export function existsSync(_path: string): boolean {
  return false;
}

export function statSync(_path: string, _options: { readonly throwIfNoEntry: false }): undefined {
  return undefined;
}

export function readFileSync(path: string, _encoding: "utf8"): never {
  throw new Error(`There are no files here, so ${path} cannot be read.`);
}

export function resolve(path: string): string {
  return path;
}

export function pathToFileURL(path: string): { href: string } {
  return { href: path };
}

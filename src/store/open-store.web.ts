import { StartError } from "../base/errors.ts";

/** Without files and databases, the data is given as an object. */
export function openStore(source: string): never {
  throw new StartError(`${source} cannot be served here, where there are no files. Give the data itself.`);
}

export function isSharedSource(): boolean {
  return false;
}

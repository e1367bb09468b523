import { type Stats, statSync } from "node:fs";

/** What a file looks like from outside. The same look means the same content; another one means to read and see. */
export type Look = string;

/** The look of a file that is not there. */
export const NO_LOOK: Look = "";

export function lookOf(path: string): Look {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? lookFrom(found) : NO_LOOK;
}

export function lookFrom({ ino, size, mtimeMs }: Pick<Stats, "ino" | "size" | "mtimeMs">): Look {
  return `${ino}.${size}.${mtimeMs}`;
}

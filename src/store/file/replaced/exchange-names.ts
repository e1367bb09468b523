import { renameSync, rmSync } from "node:fs";
import { linkUnlessThere } from "./replaced-file.ts";
import { type Formers, isSame, type Replaced } from "./replaced-files.ts";

export interface ExchangeRequest {
  readonly file: string;
  /** The file that is to be replaced; undefined when there is none. */
  readonly held: Replaced | undefined;
  readonly temporary: string;
  readonly target: string;
  readonly formers: Formers;
  /** Told of a file from outside that has lost its place to an even newer one. */
  readonly keepOutside: (file: string, replaced: Replaced) => void;
}

/**
 * Replaces a file in two steps, so that nothing that another program puts in its place can be lost: whatever is there is
 * moved away, and the new file takes the name only if it is free. False when another file than the held one was found;
 * then that is there now. For an instant there is no file; a start after a crash in that instant puts it back.
 */
export function exchange({ file, held, temporary, target, formers, keepOutside }: ExchangeRequest): boolean {
  const taken = formers.take(file);
  if (taken && !(held && isSame(taken, held))) {
    if (!taken.former.putBack(target)) keepOutside(file, taken);
    return false;
  }
  let isPlaced: boolean;
  try {
    isPlaced = linkUnlessThere(temporary, target);
  } catch (thrown) {
    if (taken) {
      taken.former.putBack(target);
      throw thrown;
    }
    // A file system without links.
    renameSync(temporary, target);
    return true;
  }
  // It is held under another name.
  taken?.former.drop();
  if (isPlaced) rmSync(temporary, { force: true });
  return isPlaced;
}

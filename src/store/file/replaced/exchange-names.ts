import { renameSync, rmSync } from "node:fs";
import { retryWhileHeld } from "../../../base/files/retry-while-held.ts";
import { linkUnlessThere } from "./held-file.ts";
import { isSame, type ReplacedFile } from "./replaced-file.ts";
import type { ReplacedFiles } from "./replaced-files.ts";

export interface ExchangeRequest {
  readonly file: string;
  /** The file to replace; undefined when there is none. */
  readonly replaced: ReplacedFile | undefined;
  readonly temporary: string;
  readonly target: string;
  readonly replacedFiles: ReplacedFiles;
  /** Called with an outside version that lost its name to an even newer one. */
  readonly keepOutside: (file: string, replaced: ReplacedFile) => void;
}

/**
 * Replaces a file in two steps, so that no version another program puts there can be lost: moves the current file away,
 * and links the new one only if the name is free. False when the current file was not the expected one; then that is back
 * in place. For an instant there is no file; the next start after a crash in that instant puts it back.
 */
export function exchange({ file, replaced, temporary, target, replacedFiles, keepOutside }: ExchangeRequest): boolean {
  const taken = replacedFiles.take(file);
  if (taken && !(replaced && isSame(taken, replaced))) {
    if (!taken.held.putBack(target)) keepOutside(file, taken);
    return false;
  }
  let isPlaced: boolean;
  try {
    isPlaced = linkUnlessThere(temporary, target);
  } catch (thrown) {
    if (taken) {
      taken.held.putBack(target);
      throw thrown;
    }
    // This file system does not support links.
    renameSync(temporary, target);
    return true;
  }
  // `replaced` still holds it under another name.
  taken?.held.drop();
  if (isPlaced) retryWhileHeld(() => rmSync(temporary, { force: true }));
  return isPlaced;
}

import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { StartError } from "../../../base/errors.ts";
import { realPath } from "../../../base/files/atomic-write.ts";
import { type Layout, singleFile } from "../layout.ts";
import { LinkedFile } from "./held-file.ts";
import { fileKey, listSecondNames } from "./second-names.ts";

/** The second name of a data file that is missing because a process ended between the two steps of an exchange. */
export function lostSource(source: string): string | undefined {
  const layout = singleFile(resolve(source));
  return lostFile(layout, basename(layout.place));
}

export interface PutBackOptions {
  readonly files: Iterable<string>;
  /** Whether the disk may be written. */
  readonly mayRepair: boolean;
  readonly report: (text: string) => void;
}

/** Gives missing data files their names back; throws a `StartError` if that is needed but not allowed. */
export function putBackLostFiles(layout: Layout, { files, mayRepair, report }: PutBackOptions): void {
  for (const file of files) {
    const lost = lostFile(layout, file);
    if (lost === undefined) continue;
    const path = realPath(join(layout.folder, file));
    if (!mayRepair) {
      throw new StartError(
        `${path} is missing: a standin that ended while it saved left it as ${lost}. ` +
          "Move it back, or start standin once without --memory and with a folder that can be written.",
      );
    }
    if (new LinkedFile(lost).putBack(path))
      report(`${path} was missing, because an earlier process ended while it saved. It was restored.`);
  }
}

function lostFile({ anchor, folder }: Layout, file: string): string | undefined {
  if (existsSync(join(folder, file))) return undefined;
  const key = fileKey(file);
  return listSecondNames(anchor).find((name) => name.key === key && !name.isRemoved)?.path;
}

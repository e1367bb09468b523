import { type BigIntStats, readdirSync, readFileSync, statSync } from "node:fs";

/** O_ACCMODE: the bits of the flags that tell whether a file is open for writing. */
const ACCESS_MODE = 3;

/** Identifies a file by device and inode, regardless of its names. On Windows, an inode has more digits than a number. */
export function identityOf({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}

/**
 * The files among these that a process has open for writing, according to proc(5). Without that file system, or for
 * processes of other users, none are found.
 */
export function openForWriting(identities: ReadonlySet<string>): Set<string> {
  const open = new Set<string>();
  for (const pid of fileNamesIn("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    for (const fd of fileNamesIn(`/proc/${pid}/fd`)) {
      const identity = identityBehind(`/proc/${pid}/fd/${fd}`);
      if (identity !== undefined && identities.has(identity) && isWriter(`/proc/${pid}/fdinfo/${fd}`))
        open.add(identity);
    }
  }
  return open;
}

function identityBehind(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found && identityOf(found);
  } catch {
    return undefined;
  }
}

function isWriter(path: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(path, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & ACCESS_MODE) !== 0;
  } catch {
    return false;
  }
}

/** The names in a folder; none if it cannot be read. */
export function fileNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

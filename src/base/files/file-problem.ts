import { messageOf } from "../errors.ts";
import { existsSync } from "../platform/files.ts";

/** Errors of the system in words, as the end of "db.json cannot be read: ...". */
const WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission denied.",
  EDQUOT: "the disk quota is used up.",
  EISDIR: "it is a folder.",
  ENOENT: "it does not exist.",
  ENOSPC: "the disk is full.",
  ENOTDIR: "a part of its path is not a folder.",
  EPERM: "permission denied.",
  EROFS: "the file system is read-only.",
};

/** Why a file could not be read or written, for people: the system names its calls and our temporary files. */
export function fileProblem(thrown: unknown): string {
  const { code = "", path = "" } = (thrown ?? {}) as { code?: string; path?: string };
  const folder = /^(.+)[\\/][^\\/]*$/.exec(path)?.[1];
  if (code === "ENOENT" && folder !== undefined && !existsSync(folder)) return `the folder ${folder} does not exist.`;
  const problem = WORDS[code] ?? messageOf(thrown);
  return problem.endsWith(".") ? problem : `${problem}.`;
}

import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { nounOf } from "../../../openapi/bind/words.ts";

/** The last fixed segment of a path: files of a store are files, though their collection has a longer name. */
export function lastWord(path: string): string {
  return path.split("/").findLast((segment) => segment !== "" && !segment.includes("{")) ?? path;
}

/** `user[name]`, as forms write it, is the `name` of a user, and `tags[]` are its `tags`. */
export function bareNames({ path }: BoundCollection): (name: string) => string {
  const noun = nounOf(lastWord(path));
  return (name) => {
    const [, owner = "", inner] = /^([\w-]+)\[([\w-]*)\]$/.exec(name) ?? [];
    if (inner === "") return owner;
    return inner !== undefined && nounOf(owner) === noun ? inner : name;
  };
}

import { type Group, operationOf } from "./groups.ts";
import { HANDLES, isIdLike, type Naming } from "./ids/id-key.ts";
import { nounOf, plainName, singularOf, wordsIn } from "./words.ts";

/**
 * Whether a path that looks like that of a record lists those with a value: "Gets the blocks of a day type" at
 * `/blocks/{dayType}`.
 */
export function tellsSeveral({ parameter = "", segment }: Naming, item: Group | undefined): boolean {
  const { summary = "", description = "" } = operationOf(item, "GET") ?? {};
  const noun = wordsIn(segment).at(-1) ?? "";
  const one = singularOf(noun);
  if (one === noun || namesOne({ parameter, segment })) return false;
  const told = wordsIn(`${summary}. ${description.split(". ")[0]}`);
  const at = told.indexOf(noun);
  // "The favorite resources of a resource type"
  return at >= 0 && !told.slice(0, at).includes(one);
}

/** Whether a wildcard is by its name that of one thing: `{blockId}` and `{blockName}` of blocks, `{name}`. */
function namesOne({ parameter = "", segment }: Naming): boolean {
  const words = wordsIn(parameter);
  const owner = plainName((HANDLES.includes(words.at(-1) ?? "") ? words.slice(0, -1) : words).join(" "));
  return isIdLike(words) || words.length < 2 || nounOf(segment).endsWith(owner);
}

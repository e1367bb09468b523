import { isSameNoun, wordsIn } from "../words.ts";
import { isIdLike } from "./id-key.ts";

/** Words before `id` that do not say whose id it is. */
const OWN = [
  "ext",
  "external",
  "public",
  "unique",
  "global",
  "object",
  "resource",
  "entity",
  "record",
  "short",
  "alternative",
  "custom",
  "display",
];

/** Whether a name is that of an id of something else. */
export function isIdOfOther(name: string, segment: string): boolean {
  const words = wordsIn(name);
  const owner = words.slice(0, -1);
  return (
    isIdLike(words.slice(-1)) &&
    owner.length > 0 &&
    !owner.some((word) => isSameNoun(word, segment)) &&
    !owner.some((word) => OWN.includes(word))
  );
}

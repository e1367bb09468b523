import type { Preferences } from "../../prefer.ts";
import type { Work } from "../../slices.ts";
import type { Edit, Lenience, SingleWrite, Transaction, Write } from "../../store/store.ts";
import type { Reply } from "../response/reply.ts";

/** The most rules that a `Warning` names. */
const MAX_NAMED = 10;
const MAX_LETTERS = 1000;

/** Whether a write may leave records that break their schema: `Prefer: handling=lenient`. */
export function isLenient(preferences: Preferences): boolean {
  return preferences.get("handling")?.toLowerCase() === "lenient";
}

/** The same write without the schemas of the rules; a transaction with all its parts. */
export function withLenience(write: Write, lenience: Lenience): Write {
  if (write.kind !== "transaction") return { ...write, lenience };
  return { ...write, run: (data) => write.run(leniently(data, lenience)) };
}

function leniently(data: Transaction, lenience: Lenience): Transaction {
  return {
    get: (collection, id) => data.get(collection, id),
    singleton: (name) => data.singleton(name),
    matching: (collection, match) => data.matching(collection, match),
    apply: (write: SingleWrite): Work<readonly Edit[]> => data.apply({ ...write, lenience }),
  };
}

/** The reply with the rules that the write broke, in a `Warning` (RFC 7234 section 5.5). */
export function warned(reply: Reply, { broken }: Lenience): Reply {
  const applied = [reply.headers?.["Preference-Applied"], "handling=lenient"].filter(Boolean).join(", ");
  const headers = { ...reply.headers, "Preference-Applied": applied };
  if (broken.size === 0) return { ...reply, headers };
  const names = [...broken].slice(0, MAX_NAMED).map(asciiOf);
  const more = broken.size > MAX_NAMED ? `; ${broken.size - MAX_NAMED} more` : "";
  const text = `Breaks the rules: ${names.join("; ").slice(0, MAX_LETTERS)}${more}`;
  return { ...reply, headers: { ...headers, Warning: `199 standin "${text}"` } };
}

/** Percent-encodes the characters that a quoted string in a header cannot have. */
function asciiOf(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\%]/gu, (character) =>
    encodeURIComponent(/\p{Surrogate}/u.test(character) ? "?" : character),
  );
}

import type { Work } from "../../base/slices.ts";
import type { Edit, Lenience, SingleWrite, Transaction, Write } from "../../store/store.ts";
import type { Preferences } from "../call.ts";
import type { Reply } from "../response/reply.ts";
import { warningOf } from "../response/warning.ts";

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
    newId: (collection, options) => data.newId(collection, options),
  };
}

/** The reply with the rules that the write broke, in a `Warning`. */
export function warned(reply: Reply, { broken }: Lenience): Reply {
  const applied = [reply.headers?.["Preference-Applied"], "handling=lenient"].filter(Boolean).join(", ");
  const headers = { ...reply.headers, "Preference-Applied": applied };
  if (broken.size === 0) return { ...reply, headers };
  return { ...reply, headers: { ...headers, Warning: warningOf("Breaks the rules", [...broken]) } };
}

import { inBackground } from "../../base/timers.ts";
import type { Service } from "../../http/contract.ts";
import { parseGrouping } from "../../query/grouping.ts";
import { EVERYTHING } from "../../query/parse-query.ts";
import { type Names, nameIn } from "./unique-names.ts";

/** How long after the start the names are counted: the first requests come first. */
const COUNT_AFTER_MS = 500;
/** Names that the warning lists. */
const MAX_NAMED = 5;

/** Warns of names that several users have: nobody can sign in by them. */
export function warnOfSharedNames({ store, reporter }: Service, { users, name }: Names): void {
  const count = async (): Promise<void> => {
    const grouping = parseGrouping({ group: [name], aggregate: ["count"], having: [] });
    if (!grouping) return;
    const { rows } = await store.group(users, { ...EVERYTHING, grouping });
    const counts = new Map<string, number>();
    for (const row of rows) {
      const known = nameIn(row, name);
      // 1 and "1" are one name, and two groups.
      if (known !== undefined) counts.set(known, (counts.get(known) ?? 0) + Number(row.count));
    }
    const shared = [...counts].flatMap(([one, count]) => (count > 1 ? one : []));
    if (shared.length === 0) return;
    const named = shared.slice(0, MAX_NAMED).map((one) => JSON.stringify(one));
    const rest = shared.length > MAX_NAMED ? ` and ${shared.length - MAX_NAMED} more` : "";
    reporter.warn(
      `sign-in: several ${users} have the ${name} ${named.join(", ")}${rest}, so nobody can sign in by it. ` +
        `Give each another ${name}.`,
    );
  };
  // Data that cannot be read now is a matter of the requests that read it.
  inBackground(setTimeout(() => void count().catch(() => undefined), COUNT_AFTER_MS));
}

import type { Member } from "../../store/store.ts";
import type { Reply } from "../response/reply.ts";
import { plainLink, plainPage } from "./plain-page.ts";

type RenderIndex = (members: readonly Member[], prefix: string, hidden: readonly string[]) => Reply;

/** The page for browsers; undefined where everyone gets JSON. */
export const renderIndex: RenderIndex | undefined = (members, prefix, hidden) => {
  const more = ["db", "stats", "health-check", "__rules"].map((name) => plainLink(`${prefix}/${name}`, `/${name}`));
  return plainPage({
    lead: "A stand-in REST API is running here.",
    head: '<th>Address</th><th>Kind</th><th class="count">Records</th>',
    rows: members.map(
      ({ name, kind, count }) =>
        `<tr><td>${hidden.includes(name) ? `${collectionPath(name)} (hidden)` : plainLink(prefix + collectionPath(name), collectionPath(name))}</td>` +
        `<td>${kind}</td><td class="count">${count}</td></tr>`,
    ),
    end: `<p>Also: ${more.join(" · ")}</p>\n`,
  });
};

export function collectionPath(name: string): string {
  return `/${encodeURIComponent(name)}`;
}

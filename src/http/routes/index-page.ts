import Negotiator from "negotiator";
import type { Member } from "../../store/store.ts";
import type { PathParts, Route } from "../contract.ts";
import { hiddenNames } from "../edge.ts";
import { contentTag } from "../response/headers.ts";
import { jsonReply, type Reply } from "../response/reply.ts";
import { plainLink, plainPage } from "./plain-page.ts";

/** `/`: what is served. A page for browsers, JSON for everyone else. */
export const indexRoute: Route<PathParts> = {
  GET: async (call, service): Promise<Reply> => {
    const { store } = service;
    await store.refresh();
    const hidden = hiddenNames(service);
    const members = store.members();
    const accepts = new Negotiator(call).mediaType(["application/json", "text/html"]);
    if (accepts === "text/html") return renderPage(members, call.prefix, hidden);
    const entries = members.map(({ name, kind, count }) => ({
      name,
      kind,
      count,
      ...(!hidden.includes(name) && { url: `${call.baseUrl}${pathOf(name)}` }),
    }));
    const json = JSON.stringify({ name: "standin", serves: entries, database: `${call.baseUrl}/db` });
    return jsonReply(json, contentTag(json));
  },
};

function renderPage(members: readonly Member[], prefix: string, hidden: readonly string[]): Reply {
  const more = ["db", "stats", "health-check", "__rules"].map((name) => plainLink(`${prefix}/${name}`, `/${name}`));
  return plainPage({
    lead: "A stand-in REST API is running here.",
    head: '<th>Address</th><th>Kind</th><th class="count">Records</th>',
    rows: members.map(
      ({ name, kind, count }) =>
        `<tr><td>${hidden.includes(name) ? `${pathOf(name)} (hidden)` : plainLink(prefix + pathOf(name), pathOf(name))}</td>` +
        `<td>${kind}</td><td class="count">${count}</td></tr>`,
    ),
    end: `<p>Also: ${more.join(" · ")}</p>\n`,
  });
}

function pathOf(name: string): string {
  return `/${encodeURIComponent(name)}`;
}

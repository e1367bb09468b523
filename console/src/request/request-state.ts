import { createStore } from "../api/store.ts";
import { parseRoute } from "../routes/route.ts";
import { go } from "../routes/use-route.ts";
import { draftOfQuery, queryOfDraft } from "./request-address.ts";
import { EMPTY_DRAFT, type RequestDraft } from "./request-draft.ts";

const PLACE = "standin-request";

/** The draft in the builder. It survives a change of view and a reload of the tab, secrets and long bodies included. */
export const requestDraft = createStore<RequestDraft>(keptDraft());
requestDraft.listen((draft) => sessionStorage.setItem(PLACE, JSON.stringify(draft)));

/** Puts a request into the builder and goes there. */
export function openInBuilder(draft: RequestDraft): void {
  requestDraft.set(draft);
  go({ view: "request", query: queryOfDraft(draft) });
}

/** Changes the draft, and the address of the view with it. */
export function editDraft(changed: Partial<RequestDraft>): void {
  const draft = { ...requestDraft.get(), ...changed };
  requestDraft.set(draft);
  go({ view: "request", query: queryOfDraft(draft) }, "replace");
}

/**
 * Shows the draft that the address names; an address without one shows the last draft. It is read anew: while someone
 * types, the address that is drawn may be older than the draft.
 */
export function followAddress(): void {
  const route = parseRoute(location.hash);
  if (route.view !== "request") return;
  const { query } = route;
  const known = queryOfDraft(requestDraft.get());
  if (query === "") go({ view: "request", query: known }, "replace");
  else if (query !== known) requestDraft.set(draftOfQuery(query));
}

function keptDraft(): RequestDraft {
  try {
    return { ...EMPTY_DRAFT, ...JSON.parse(sessionStorage.getItem(PLACE) ?? "{}") };
  } catch {
    return EMPTY_DRAFT;
  }
}

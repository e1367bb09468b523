import { createStore } from "../api/store.ts";
import { go } from "../routes/use-route.ts";
import { EMPTY_DRAFT, type RequestDraft } from "./request-draft.ts";

/** The draft in the builder; it survives a change of view. */
export const requestDraft = createStore<RequestDraft>(EMPTY_DRAFT);

/** Puts a request into the builder and goes there. */
export function openInBuilder(draft: RequestDraft): void {
  requestDraft.set(draft);
  go({ view: "request" });
}

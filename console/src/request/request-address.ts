import { formatParameters, type Pair } from "../api/parameters.ts";
import { addressOf, draftOfRequest, EMPTY_DRAFT, type RequestDraft } from "./request-draft.ts";

/** Links are shared, so they have no secrets in them. */
const SECRET = /auth|cookie|key|secret|token|password/i;
/** Longer bodies make links that some programs cut off. */
const LONGEST_BODY = 2_000;

export function isSecretHeader(name: string): boolean {
  return SECRET.test(name);
}

/** A draft as the query of the view's address; empty for the empty draft. */
export function queryOfDraft(draft: RequestDraft): string {
  const pairs: Pair[] = [];
  if (draft.method !== EMPTY_DRAFT.method) pairs.push(["method", draft.method]);
  const address = addressOf(draft);
  if (address !== EMPTY_DRAFT.path) pairs.push(["address", address]);
  for (const [name, value] of draft.headers) {
    if (name !== "" && !isSecretHeader(name)) pairs.push(["header", `${name}: ${value}`]);
  }
  if (draft.body !== "" && draft.body.length <= LONGEST_BODY) pairs.push(["body", draft.body]);
  return formatParameters(pairs);
}

/** The draft in the query of the view's address. */
export function draftOfQuery(query: string): RequestDraft {
  const found = new URLSearchParams(query);
  const headers = found.getAll("header").map((line): Pair => {
    const mark = line.indexOf(":");
    return mark === -1 ? [line, ""] : [line.slice(0, mark), line.slice(mark + 1).trim()];
  });
  const { method, path } = EMPTY_DRAFT;
  return draftOfRequest(found.get("method") ?? method, found.get("address") ?? path, headers, found.get("body") ?? "");
}

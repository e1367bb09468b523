import { createStore, type Store } from "../api/store.ts";
import { isSecretHeader } from "./request-address.ts";
import type { RequestDraft } from "./request-draft.ts";

/** A request that was sent from the builder. */
export interface SentRequest {
  readonly draft: RequestDraft;
  /** 0 if there was no response. */
  readonly status: number;
  readonly time: number;
}

export interface SavedRequest {
  readonly name: string;
  readonly draft: RequestDraft;
}

const MOST_SENT = 50;
/** Longer bodies are not kept. */
const LONGEST_BODY = 20_000;

/** The latest first. Kept in this browser, without secrets. */
export const sentRequests = keptList<SentRequest>("standin-sent-requests");
/** By name. Kept in this browser, without secrets. */
export const savedRequests = keptList<SavedRequest>("standin-saved-requests");

export function noteSent(draft: RequestDraft, status: number): void {
  const kept = withoutSecrets(draft);
  const isSame = (other: SentRequest): boolean => JSON.stringify(other.draft) === JSON.stringify(kept);
  const others = sentRequests.get().filter((other) => !isSame(other));
  sentRequests.set([{ draft: kept, status, time: Date.now() }, ...others].slice(0, MOST_SENT));
}

/** Saves a request; one of the same name is replaced. */
export function saveRequest(name: string, draft: RequestDraft): void {
  const others = savedRequests.get().filter((other) => other.name !== name);
  const all = [...others, { name, draft: withoutSecrets(draft) }];
  savedRequests.set(all.toSorted((a, b) => a.name.localeCompare(b.name)));
}

export function removeSaved(name: string): void {
  savedRequests.set(savedRequests.get().filter((other) => other.name !== name));
}

function withoutSecrets(draft: RequestDraft): RequestDraft {
  const secret = draft.headers.map(([name]) => name).filter(isSecretHeader);
  return {
    ...draft,
    headers: draft.headers.map(([name, value]) => [name, isSecretHeader(name) ? "" : value]),
    body: draft.body.length <= LONGEST_BODY ? draft.body : "",
    ...(secret.length > 0 && { unknown: secret }),
  };
}

function keptList<T>(place: string): Store<readonly T[]> {
  const store = createStore<readonly T[]>(readList(place));
  store.listen((list) => localStorage.setItem(place, JSON.stringify(list)));
  return store;
}

function readList<T>(place: string): readonly T[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

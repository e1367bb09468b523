import { askJson } from "../api/ask.ts";
import { MOUNT } from "../api/base.ts";
import { follow } from "../api/follow.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { soon } from "../api/soon.ts";
import { createStore } from "../api/store.ts";
import type { Entry } from "./entry.ts";

/** Entries kept in the page. */
const MOST_ENTRIES = 1_000;
/** Many may come in one frame; the page is drawn once for all of them. */
const BUNCH_MS = 100;

export const entries = createStore<readonly Entry[]>([]);
/** Whether the server is connected. */
export const trafficLine = createStore<"connecting" | "open" | "away">("connecting");
export const trafficRefusal = createStore<Refusal | undefined>(undefined);

let waiting: Entry[] = [];
/** Entries of the stream that came while the list was loading: they may be newer than the list. */
let meanwhile: Entry[] | undefined;
const soonShow = soon(BUNCH_MS, show);

/** Loads the recorded requests and follows new ones. Returns a function that stops it. */
export function followTraffic(): () => void {
  return follow("/__requests", {
    onEvent: ({ type, data }) => {
      if (type === "request") take(belowMount(JSON.parse(data) as Entry));
    },
    onOpen: () => void load(),
    onClosed: (refusal) => {
      trafficLine.set("away");
      trafficRefusal.set(refusal);
    },
  });
}

/** Reloads everything: the server may have been restarted, and count from the beginning. */
async function load(): Promise<void> {
  const since: Entry[] = [];
  meanwhile = since;
  try {
    const { requests } = await askJson<{ requests: Entry[] }>("GET", `/__requests?limit=${MOST_ENTRIES}`);
    waiting = [];
    entries.set(withNewer(requests.map(belowMount), since));
    trafficLine.set("open");
    trafficRefusal.set(undefined);
  } catch (thrown) {
    trafficRefusal.set(asRefusal(thrown));
  }
  if (meanwhile === since) meanwhile = undefined;
}

function belowMount(entry: Entry): Entry {
  return entry.url.startsWith(MOUNT) ? { ...entry, url: entry.url.slice(MOUNT.length) || "/" } : entry;
}

export async function forgetTraffic(): Promise<void> {
  await askJson("DELETE", "/__requests");
  waiting = [];
  entries.set([]);
}

function take(entry: Entry): void {
  meanwhile?.push(entry);
  waiting.push(entry);
  soonShow();
}

function show(): void {
  const fresh = waiting;
  waiting = [];
  entries.set(withNewer(entries.get(), fresh));
}

function withNewer(known: readonly Entry[], others: readonly Entry[]): Entry[] {
  const last = known.at(-1)?.id ?? 0;
  return [...known, ...others.filter(({ id }) => id > last)].slice(-MOST_ENTRIES);
}

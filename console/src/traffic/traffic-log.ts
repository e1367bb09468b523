import { askJson } from "../api/ask.ts";
import { follow } from "../api/follow.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { soon } from "../ui/soon.ts";
import { createStore } from "../ui/store.ts";
import type { Entry } from "./entry.ts";

/** Entries kept in the page. */
const MOST_ENTRIES = 1_000;
/** Many may come in one frame; the page is drawn once for all of them. */
const BUNCH_MS = 100;

export const entries = createStore<readonly Entry[]>([]);
export const trafficRefusal = createStore<Refusal | undefined>(undefined);

let stop: (() => void) | undefined;
let waiting: Entry[] = [];
const soonShow = soon(BUNCH_MS, show);

/** Reads what the server remembers, then follows what comes. Once begun it goes on, so that nothing is missed. */
export async function startTraffic(): Promise<void> {
  if (stop) return;
  stop = () => undefined;
  trafficRefusal.set(undefined);
  try {
    const { requests } = await askJson<{ requests: Entry[] }>("GET", "/__requests?limit=500");
    entries.set(requests);
    const after = requests.at(-1)?.id ?? 0;
    stop = follow(`/__requests?after=${after}`, {
      onEvent: ({ type, data }) => {
        if (type === "request") take(JSON.parse(data) as Entry);
      },
      onState: (_isOpen, refusal) => trafficRefusal.set(refusal),
    });
  } catch (thrown) {
    stop = undefined;
    trafficRefusal.set(asRefusal(thrown));
  }
}

export async function forgetTraffic(): Promise<void> {
  await askJson("DELETE", "/__requests");
  waiting = [];
  entries.set([]);
}

function take(entry: Entry): void {
  waiting.push(entry);
  soonShow();
}

function show(): void {
  const known = entries.get();
  const last = known.at(-1)?.id ?? 0;
  const fresh = waiting.filter(({ id }) => id > last);
  waiting = [];
  entries.set([...known, ...fresh].slice(-MOST_ENTRIES));
}

import type { Store } from "../../store/store.ts";
import { ChangeFeed } from "./change-feed.ts";
import { EventIds } from "./event-ids.ts";
import { Traffic } from "./traffic.ts";

/** What can be watched while it happens. */
export interface Live {
  readonly ids: EventIds;
  /** The changes of a store; a sandbox has its own. */
  changesOf(store: Store): ChangeFeed;
  /** Ends the streams of a store that is gone. */
  forget(store: Store): void;
  /** Undefined when no requests are kept. */
  readonly traffic: Traffic | undefined;
  /** Ends every stream: a server with open ones could not stop. */
  close(): void;
}

export interface LiveSettings {
  /** How many requests are kept to be looked at; 0 for none. */
  readonly traffic: number;
  /** How often a stream without news shows that it is alive. */
  readonly heartbeatMs: number;
  readonly now: () => number;
}

export function createLive(store: Store, { traffic: count, heartbeatMs, now }: LiveSettings): Live {
  const ids = new EventIds();
  const feeds = new Map<Store, ChangeFeed>();
  const traffic = count > 0 ? new Traffic(count, ids, heartbeatMs, now) : undefined;
  const changesOf = (asked: Store): ChangeFeed => {
    const feed = feeds.get(asked) ?? new ChangeFeed(asked, ids, heartbeatMs, now);
    feeds.set(asked, feed);
    return feed;
  };
  // A shared one has to ask other processes to tell of their changes, so there it waits for the first who wants to know.
  if (!store.shared) changesOf(store);
  return {
    ids,
    traffic,
    changesOf,
    forget(gone) {
      feeds.get(gone)?.close();
      feeds.delete(gone);
    },
    close() {
      for (const feed of feeds.values()) feed.close();
      traffic?.close();
    },
  };
}

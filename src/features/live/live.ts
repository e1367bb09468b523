import type { TimeSource } from "../../base/clock.ts";
import { inBackground } from "../../base/timers.ts";
import type { Store } from "../../store/store.ts";
import { ChangeFeed, type Topic } from "./change-feed.ts";
import { EventIds } from "./event-ids.ts";
import { OpenStreams } from "./open-streams.ts";
import { Traffic } from "./traffic.ts";

/** The feeds of a server: changes and requests as they happen. */
export interface Live {
  readonly ids: EventIds;
  /** The changes of a store; a sandbox has its own. */
  changesOf(store: Store): ChangeFeed;
  /** Ends the streams of a store that is gone. */
  forget(store: Store): void;
  /** Undefined when no requests are kept. */
  readonly traffic: Traffic | undefined;
  /** Tells readers of changes who want it that a list of the server has changed: soon, and once for a burst. */
  tell(topic: Topic): void;
  /** Ends every stream: a server with open ones could not stop. */
  endStreams(): void;
  /** Ends the rest: listeners get no more changes. */
  close(): void;
}

/** How long news wait for more of the same. */
const NEWS_MS = 200;

export interface LiveSettings {
  /** How many requests are kept for readers; 0 for none. */
  readonly traffic: number;
  /** How often a stream without news shows that it is alive. */
  readonly heartbeatMs: number;
  readonly clock: TimeSource;
}

export function createLive(store: Store, { traffic: count, heartbeatMs, clock }: LiveSettings): Live {
  const ids = new EventIds(store.kept);
  const feeds = new Map<Store, ChangeFeed>();
  const options = { ids, streams: new OpenStreams(), heartbeatMs, clock };
  const traffic = count > 0 ? new Traffic(count, { ...options, kept: store.kept }) : undefined;
  const told = new Set<Topic>();
  const changesOf = (asked: Store): ChangeFeed => {
    // Those who see a part of a store read the same feed.
    const whole = asked.view?.of ?? asked;
    const feed = feeds.get(whole) ?? new ChangeFeed(whole, options);
    feeds.set(whole, feed);
    return feed;
  };
  // The feed makes other processes announce their changes, so it is opened for the first reader.
  if (!store.hasOtherWriters) changesOf(store);
  return {
    ids,
    traffic,
    changesOf,
    forget(gone) {
      feeds.get(gone)?.close();
      feeds.delete(gone);
    },
    tell(topic) {
      if (told.has(topic)) return;
      told.add(topic);
      const tellAll = (): void => {
        told.delete(topic);
        for (const feed of feeds.values()) feed.tell(topic);
      };
      inBackground(setTimeout(tellAll, NEWS_MS));
    },
    endStreams() {
      for (const feed of feeds.values()) feed.endStreams();
      traffic?.close();
    },
    close() {
      for (const feed of feeds.values()) feed.close();
    },
  };
}

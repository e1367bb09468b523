import type { Store } from "../../store/store.ts";
import { ChangeFeed } from "./change-feed.ts";
import { Traffic } from "./traffic.ts";

/** What can be watched while it happens. */
export interface Live {
  readonly changes: ChangeFeed;
  /** Undefined when no requests are kept. */
  readonly traffic: Traffic | undefined;
  /** Ends every stream: a server with open ones could not stop. */
  close(): void;
}

export interface LiveSettings {
  readonly console: boolean;
  /** How many requests are kept to be looked at; 0 for none. */
  readonly traffic: number;
  /** How often a stream without news shows that it is alive. */
  readonly heartbeatMs: number;
}

/** Undefined without the console: then nothing is kept, and nobody can look. */
export function createLive(store: Store, settings: LiveSettings): Live | undefined {
  if (!settings.console) return undefined;
  // Made for the first who follows: a shared store has to ask other processes to tell of their changes.
  let changes: ChangeFeed | undefined;
  const traffic = settings.traffic > 0 ? new Traffic(settings.traffic, settings.heartbeatMs) : undefined;
  return {
    get changes() {
      changes ??= new ChangeFeed(store, settings.heartbeatMs);
      return changes;
    },
    traffic,
    close() {
      changes?.close();
      traffic?.close();
    },
  };
}

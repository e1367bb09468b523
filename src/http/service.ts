import type { Reporter } from "../reporter.ts";
import type { Snapshots } from "../snapshots/snapshots.ts";
import type { Store } from "../store/store.ts";
import type { Target } from "./exchange.ts";

/** What answering needs to know, decided once at start. */
export interface Service {
  readonly store: Store;
  /** Exchanged when the rewrite file is reloaded. */
  rewriter: Rewriter;
  /** Undefined when no folder for them is configured. */
  readonly snapshots: Snapshots | undefined;
  readonly reporter: Reporter;
  readonly settings: ServiceSettings;
  readonly startedAt: number;
}

/** Rewrite rules as given: path to path, in order. */
export type Rules = Readonly<Record<string, string>>;

export interface Rewriter {
  readonly rules: Rules;
  rewrite(client: Target): Target;
}

export const noRewriting: Rewriter = { rules: {}, rewrite: (client) => client };

export interface ServiceSettings {
  readonly foreignKeySuffix: string;
  readonly cors: boolean;
  readonly compression: boolean;
  readonly pretty: boolean;
  readonly readOnly: boolean;
  readonly trustProxy: boolean;
  /** Added to every answer from a route. */
  readonly delayMs: number;
  /** A folder whose files win over routes; undefined for none. */
  readonly staticFolder: string | undefined;
  readonly maxBodyBytes: number;
}

export const DEFAULT_SETTINGS: ServiceSettings = {
  foreignKeySuffix: "_id",
  cors: true,
  compression: true,
  pretty: false,
  readOnly: false,
  trustProxy: false,
  delayMs: 0,
  staticFolder: undefined,
  maxBodyBytes: 10 * 1024 * 1024,
};

import type { Faults } from "../features/faults/fault-rules.ts";
import type { Live, LiveSettings } from "../features/live/live.ts";
import type { Sandboxes } from "../features/sandboxes/sandboxes.ts";
import type { SnapshotKeeper } from "../features/snapshots/folder-snapshots.ts";
import type { Layer } from "../layers/layer.ts";
import type { LayerName } from "../layers/registry.ts";
import type { Reporter } from "../reporter.ts";
import type { Eventually, Store } from "../store/store.ts";
import type { Waits } from "../wait.ts";
import type { Exchange, Target } from "./exchange.ts";
import type { Interceptor } from "./express/load-interceptors.ts";
import type { Reply } from "./response/reply.ts";

/** What the way of a request needs to know, whatever answers at its end; decided once at start. */
export interface Edge {
  /** Exchanged when the rewrite file is reloaded. */
  rewriter: Rewriter;
  /** What `middlewares` lists, in its order. */
  readonly steps: readonly Step[];
  readonly reporter: Reporter;
  readonly settings: ServiceSettings;
  readonly waits: Waits;
}

/** The edge of a store, and what its routes need to know. */
export interface Service extends Edge {
  readonly store: Store;
  /** Undefined when no folder for them is configured. */
  readonly snapshots: SnapshotKeeper | undefined;
  /** Undefined without the console. */
  readonly live: Live | undefined;
  readonly startedAt: number;
  /** Undefined where they are switched off. */
  readonly sandboxes?: Sandboxes | undefined;
  /** What is to go wrong; undefined where nothing can. */
  readonly faults?: Faults | undefined;
  /** The time it gives to clients; the real one unless it is told another. */
  readonly now?: () => number;
}

/** What stands behind every lane; rejects with a refusal. Undefined when no answer is to be sent. */
export type Respond = (exchange: Exchange) => Eventually<Reply | undefined>;

/** Answers an exchange whose address has been rewritten: steps, delay, read-only, route. Never rejects. */
export type Lane = (exchange: Exchange) => Eventually<void>;

/** One entry of `middlewares`: a built-in layer, or the functions of an interceptor file. */
export type Step = LayerStep | InterceptorStep;

export interface LayerStep {
  readonly kind: "layer";
  readonly name: LayerName | "private";
  readonly layer: Layer;
}

interface InterceptorStep {
  readonly kind: "interceptor";
  readonly file: string;
  readonly functions: readonly Interceptor[];
}

/** Rewrite rules as given: path to path, in order. */
export type Rules = Readonly<Record<string, string>>;

export interface Rewriter {
  readonly rules: Rules;
  rewrite(client: Target): Target;
  /** The same, and which rules took part in it, in order. */
  trace(client: Target): { target: Target; applied: string[] };
}

export const noRewriting: Rewriter = {
  rules: {},
  rewrite: (client) => client,
  trace: (client) => ({ target: client, applied: [] }),
};

export interface ServiceSettings extends LiveSettings {
  /** How foreign keys end; undefined lets the records of each collection decide. */
  readonly foreignKeySuffix: string | undefined;
  readonly cors: boolean;
  readonly compression: boolean;
  readonly pretty: boolean;
  /** Whether the parameter `callback` makes a script of an answer. */
  readonly jsonp: boolean;
  readonly readOnly: boolean;
  readonly trustProxy: boolean;
  /** Host names that our own routes are served for, beside local ones. */
  readonly allowedHosts: readonly string[];
  /** Added to every answer from a route. */
  readonly delayMs: number;
  /** A folder whose files win over routes; undefined for none. */
  readonly staticFolder: string | undefined;
  readonly maxBodyBytes: number;
  /** Whether interceptors find a parsed body in `req.body`, or the unread stream. */
  readonly bodyParser: boolean;
}

export const DEFAULT_SETTINGS: ServiceSettings = {
  foreignKeySuffix: undefined,
  cors: true,
  compression: true,
  pretty: false,
  jsonp: true,
  readOnly: false,
  trustProxy: false,
  allowedHosts: [],
  delayMs: 0,
  staticFolder: undefined,
  maxBodyBytes: 10 * 1024 * 1024,
  bodyParser: true,
  console: true,
  traffic: 200,
  heartbeatMs: 15_000,
};

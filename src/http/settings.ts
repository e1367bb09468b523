import { DEFAULT_BUDGET_MS } from "../base/work-account.ts";
import type { DeclaredRelations } from "../store/declared-relations.ts";
import type { BodyHooks } from "./body/body-source.ts";

/** The settings of the pipeline, decided once at start. */
export interface ServiceSettings {
  /** The path in front of every address, such as `/api`; empty for none. */
  readonly base: string;
  /** How foreign keys end; undefined lets the records of each collection decide. */
  readonly foreignKeySuffix: string | undefined;
  /** Fields that refer to other collections, whatever they are called. */
  readonly relations: DeclaredRelations;
  /** Whether pages of other origins may use the API. */
  readonly cors: boolean;
  /** Whether responses are compressed for clients that ask for it. */
  readonly compression: boolean;
  /** Whether JSON is indented. */
  readonly pretty: boolean;
  /** Whether the parameter `callback` turns a response into a script. */
  readonly jsonp: boolean;
  /** Whether all writes are refused. */
  readonly readOnly: boolean;
  /** Whether scheme, host, path prefix and client address come from `X-Forwarded-*` headers. */
  readonly trustProxy: boolean;
  /** Host names that our own routes are served for, beside local ones. */
  readonly allowedHosts: readonly string[];
  /** Added to every response of a route. */
  readonly delayMs: number;
  /** A folder whose files win over routes; undefined for none. */
  readonly staticFolder: string | undefined;
  /** The size of the largest body of a request; files of an upload have a limit of their own. */
  readonly maxBodyBytes: number;
  /** The CPU time that evaluating the query of one request may take; 0 is no limit. */
  readonly queryBudgetMs: number;
  /** Whether interceptors find a parsed body in `req.body`, or the unread stream. */
  readonly bodyParser: boolean;
  /** Whether the console, the API description, events and the traffic log are served. */
  readonly console: boolean;
  /** Lets requests from other machines do what only local ones may; undefined for none. */
  readonly adminToken: string | undefined;
  /** Reads and judges bodies for the features that know more than JSON; undefined for none. @internal */
  readonly bodies?: BodyHooks | undefined;
  /** The milliseconds after which a stream without news shows that it is alive. */
  readonly heartbeatMs: number;
}

export const DEFAULT_SETTINGS: ServiceSettings = {
  base: "",
  foreignKeySuffix: undefined,
  relations: {},
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
  queryBudgetMs: DEFAULT_BUDGET_MS,
  bodyParser: true,
  console: true,
  adminToken: undefined,
  heartbeatMs: 15_000,
};

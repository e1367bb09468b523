import type { IncomingHttpHeaders } from "node:http";
import type { ErrorCode } from "../base/errors.ts";
import type { Json, JsonObject } from "../base/json/json.ts";
import type { Client, WaitEnd } from "../base/wait.ts";
import type { LayerSettings } from "./settings.ts";
import type { SignInOptions } from "./sign-in-options.ts";

/** A request as layers see it: address and method are what they mean after override and rewrite. */
export interface LayerRequest extends Client {
  readonly method: string;
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The address of the client, as the proxy reports it where proxies are trusted. */
  readonly address: string;
  /** The path as the client sent it, before any rewrite. */
  readonly clientPath: string;
  /** The query string that the route reads; a rewrite rule may have taken it out of `url`. */
  readonly routeSearch: string;
  /** The parameters where interceptors may have changed them; undefined without interceptors. */
  readonly query: unknown;
  body(): Json | undefined | Promise<Json | undefined>;
  /** The user that a guard admitted; interceptors after it may read it. */
  user: unknown;
  /** The configured name of the credential that a guard admitted, if it has one. Never the credential itself. */
  credentialName: string | undefined;
  /** Whether it has a signed address, which stands for the credentials of a user. */
  readonly isAdmitted?: true | undefined;
  /** Set by a guard for credentials that may write, but not read. */
  isWriteOnly: boolean | undefined;
  /** Set by guards that a public route passed by. */
  isPublic?: true;
  /** Set by guards that a public route passed by: throws without credentials. For routes that lead beyond its collection. */
  demandCredentials: (() => void) | undefined;
  /** Set by a guard whose credentials may end while the response is still open: throws once they have. */
  expectAdmitted: (() => void) | undefined;
  /** Set by the rate-limit layer: counts a credential before it is checked, and throws when too many were rejected. */
  countGuess: ((req: LayerRequest, res: LayerResponse) => (isRight: boolean) => void) | undefined;
}

/** The part of a response that layers use. */
export interface LayerResponse {
  /** Sets a header of the response, whichever step sends it. */
  setHeader(name: string, value: string): unknown;
  hasHeader(name: string): boolean;
  /** Responds in place of the steps behind the layer. */
  reply(reply: LayerReply): void;
}

export interface LayerReply {
  readonly status: number;
  /** Compact JSON text; left out for a response without a body. */
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One optional step of request handling, connect-style: it replies, throws, or calls `next` before it is done. */
export type Layer = ((req: LayerRequest, res: LayerResponse, next: () => void) => void | Promise<void>) & {
  /** Of the layer `sign-in`: what the issuer of its tokens needs. */
  readonly signIn?: SignInGate;
};

/** Connects the layer `sign-in`, which is made before the data is opened, with the issuer that knows the users. */
export interface SignInGate {
  readonly options: SignInOptions;
  /** Admits a request by its token: sets its user, or throws. The issuer sets this before the first request. */
  admit(req: LayerRequest): Promise<void>;
  /** A user's record as it is to be stored: with its password hashed, or with that of the record before. */
  stored(record: JsonObject, before?: Json): JsonObject;
  /** The password as it was sent with a record that is about to be stored; undefined unless it is new. */
  readonly sentWith: (record: JsonObject) => Json | undefined;
  readonly isHash: (value: Json | undefined) => boolean;
}

/** Everything that the rest of the program knows of a layer. */
export interface LayerTraits {
  readonly name: string;
  /** Refuses requests without credentials: all of them, preflights included, or writes alone. */
  readonly guards?: "requests" | "writes";
  /** Meets a batch as one request: it is counted, delayed and logged once. Other layers see each part of it. */
  readonly isAskedOnce?: true;
  /** Stands before guards that are added to it: preflights carry no credentials, and counting slows down guessing. */
  readonly precedesGuards?: true;
  /** The codes by which it refuses. */
  readonly codes?: readonly ErrorCode[];
  /** Headers that it adds to every response. */
  readonly headers?: readonly string[];
  /** The credentials of a guard, as OpenAPI describes them. */
  readonly scheme?: JsonObject;
  /** First segments of paths that it responds to itself, in front of the data. */
  readonly reserves?: readonly string[];
}

/** A layer as its file defines it. */
export interface LayerDefinition extends LayerTraits {
  create(settings: LayerSettings, tools: LayerTools): Layer;
}

/** The functions that the server lends to its layers. */
export interface LayerTools {
  warn(text: string): void;
  /** Counts a request of a key together with other processes; absent where this is the only one. */
  countTogether?: ((key: string, windowSeconds: number) => Promise<number>) | undefined;
  /** Holds a request back; ends early when the client leaves or the server stops. */
  wait(ms: number, client: Client): Promise<WaitEnd>;
  now(): number;
  random(): number;
}

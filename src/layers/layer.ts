import type { IncomingMessage, ServerResponse } from "node:http";
import type { Json } from "../json.ts";

/** A request as layers see it: address and method are what they mean after override and rewrite. */
export interface LayerRequest extends IncomingMessage {
  /** The path as the client sent it, before any rewrite. */
  clientPath: string;
  /** Whom a guard let in; interceptors after it may look. */
  user?: unknown;
}

/** One optional step of request handling, connect-style: it answers, throws, or calls `next`. */
export type Layer = (req: LayerRequest, res: ServerResponse, next: (error?: unknown) => void) => void | Promise<void>;

/** What layers are lent by the server they work for. */
export interface LayerTools {
  warn(text: string): void;
  readBody(req: IncomingMessage): Promise<Json | undefined>;
  /** The address of the client, the proxy's word counting where proxies are trusted. */
  clientAddress(req: IncomingMessage): string;
  now(): number;
  random(): number;
}

import { randomBytes } from "node:crypto";
import { StandinError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { LocalReply, LocalRequest } from "../../http/local-call.ts";
import type { Send } from "../../http/node/send-over-http.ts";
import { errorOf } from "./error-of.ts";

/** The session and the server that a request of the protocol acts on. */
export interface AgentContext {
  readonly send: Send;
  readonly session: AgentSession;
}

/** Everything that one call of a tool has at hand. */
export interface ToolCall extends AgentContext {
  readonly args: JsonObject;
}

/** A request that was refused. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly response: LocalReply;
  /** The refused request, as the agent wrote it. */
  readonly path: string | undefined;

  constructor(response: LocalReply, path?: string) {
    super(`The request failed with ${response.status}.`);
    this.response = response;
    this.path = path;
  }
}

/** Sends a request; throws a `ToolFailure` unless it succeeds. */
export async function expectSuccess(send: Send, request: LocalRequest, path?: string): Promise<LocalReply> {
  const response = await send(request);
  if (response.status >= 200 && response.status < 300) return response;
  throw new ToolFailure(response, path);
}

/** A sandbox that a session has created for itself, or why there are none: then reads see the shared data. */
type OwnSandbox =
  | { readonly name: string; readonly url: string }
  | { readonly name: undefined; readonly reason: string; readonly isReadOnly: boolean };

/** The state of an agent: a session of the protocol, a connection, or a single request where it has neither. */
export class AgentSession {
  /** Later calls belong to the same session. */
  readonly isKept: boolean;
  #sandbox: Promise<OwnSandbox> | undefined;

  constructor(isKept: boolean) {
    this.isKept = isKept;
  }

  /** The sandbox of the session; the first call creates it. */
  async sandbox(create: () => Promise<OwnSandbox>): Promise<{ readonly own: OwnSandbox; readonly isNew: boolean }> {
    const known = this.#sandbox;
    if (known) return { own: await known, isNew: false };
    const creating = create();
    this.#sandbox = creating;
    try {
      return { own: await creating, isNew: true };
    } catch (thrown) {
      // The next call tries again.
      if (this.#sandbox === creating) this.#sandbox = undefined;
      throw thrown;
    }
  }

  /** The name of the sandbox, if the session has one. */
  async sandboxName(): Promise<string | undefined> {
    return (await this.#sandbox?.catch(() => undefined))?.name;
  }

  adopt(sandbox: OwnSandbox): void {
    this.#sandbox = Promise.resolve(sandbox);
  }

  forget(): void {
    this.#sandbox = undefined;
  }
}

/** An address or header that names a sandbox names that of the session. */
export function sessionOf({ sandbox, baseUrl }: Call, session: AgentSession): AgentSession {
  if (sandbox !== undefined) session.adopt({ name: sandbox, url: baseUrl });
  return session;
}

/** The arguments of every tool that touches data. */
export const SCOPE = {
  sandbox: { type: "string", description: "Sandbox to work in; default: the one of this session" },
  shared: { type: "boolean", description: "Work on the data that everyone shares instead" },
} as const satisfies Record<string, JsonObject>;

/** The data that a call works on. */
export interface ToolScope {
  /** Undefined for the shared data. */
  readonly sandbox: string | undefined;
  /** Put in front of every path. */
  readonly prefix: string;
  /** Said in the result: the sandbox, and what to know about a new one. */
  readonly facts: JsonObject;
}

/** Sandboxes that are gone must not come back empty-handed. */
export const EXISTING = "sandbox=existing";

/** Codes of servers that offer no sandbox. */
const WITHOUT = new Set<string>(["ACCESS_DENIED", "SANDBOXES_OFF", "READ_ONLY"]);

export async function scopeOf({ args, session, send }: ToolCall, use: "read" | "write"): Promise<ToolScope> {
  const { sandbox, shared } = args as { sandbox?: string; shared?: boolean };
  if (shared && sandbox !== undefined) throw new StandinError("TOOL_INVALID", 'Give "sandbox" or "shared", not both.');
  if (shared) return { sandbox: undefined, prefix: "", facts: { shared: true } };
  if (sandbox !== undefined) return inSandbox(sandbox, { sandbox });
  const { own, isNew } = await session.sandbox(() => createSandbox(send, {}));
  if (own.name !== undefined) {
    const note = session.isKept
      ? "New, from the current data. Later calls of this session use it."
      : "New, from the current data. Pass this name in later calls.";
    return inSandbox(own.name, isNew ? { sandbox: own.name, url: own.url, note } : { sandbox: own.name });
  }
  if (use === "read") return { sandbox: undefined, prefix: "", facts: { shared: true, note: own.reason } };
  if (own.isReadOnly) throw new StandinError("READ_ONLY", own.reason);
  throw new StandinError(
    "SANDBOXES_OFF",
    `${own.reason} Writes change the data that everyone shares, so they need "shared": true.`,
  );
}

export function inSandbox(sandbox: string, facts: JsonObject): ToolScope {
  return { sandbox, prefix: `/__sandbox/${encodeURIComponent(sandbox)}`, facts };
}

/** The name of the sandbox that a call is about, without creating one; `argument` may give it. */
export async function sandboxOfCall({ args, session }: ToolCall, argument: "name" | "sandbox"): Promise<string> {
  const known = (args[argument] as string | undefined) ?? (await session.sandboxName());
  if (known !== undefined) return known;
  if (session.isKept) throw new StandinError("SANDBOX_NOT_FOUND", "This session has no sandbox yet.");
  throw new StandinError("TOOL_INVALID", `Give the name of your sandbox in "${argument}": an earlier result has it.`);
}

/** Creates a sandbox. Where there are none, says why. */
export async function createSandbox(send: Send, given: JsonObject): Promise<OwnSandbox> {
  const body = { name: newSandboxName(), ...given };
  const response = await send({ method: "POST", path: "/__sandboxes", body });
  if (response.status === 201) return sandboxOf(response);
  const { code, message } = errorOf(response);
  if (!WITHOUT.has(code)) throw new ToolFailure(response);
  return { name: undefined, reason: message, isReadOnly: code === "READ_ONLY" };
}

function sandboxOf({ text }: LocalReply): OwnSandbox {
  const { name, url } = JSON.parse(text) as { name: string; url: string };
  return { name, url };
}

function newSandboxName(): string {
  return `agent-${randomBytes(4).toString("hex")}`;
}

import { randomUUID } from "node:crypto";
import type { MessageChannel } from "./message-channel.ts";
import { AgentSession } from "./scope.ts";

/** A session of an agent over HTTP: `Mcp-Session-Id`. */
export interface HttpSession<Channel = MessageChannel> {
  readonly id: string;
  readonly channel: Channel;
  readonly agent: AgentSession;
  usedAt: number;
}

/** The most sessions at a time: beyond it, the one that was not used for longest ends. */
const MAX_SESSIONS = 1000;
/** A session that was not used for so long ends. */
const EXPIRY_MS = 24 * 3600 * 1000;

export class HttpSessions<Channel extends { close(): Promise<void> } = MessageChannel> {
  readonly #sessions = new Map<string, HttpSession<Channel>>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  create(channel: Channel): HttpSession<Channel> {
    const session = { id: randomUUID(), channel, agent: new AgentSession(true), usedAt: this.#now() };
    this.#sessions.set(session.id, session);
    this.#bound();
    return session;
  }

  use(id: string): HttpSession<Channel> | undefined {
    this.#bound();
    const session = this.#sessions.get(id);
    if (!session) return undefined;
    session.usedAt = this.#now();
    // The last one used stands last.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  end(id: string): boolean {
    const session = this.#sessions.get(id);
    if (session) void session.channel.close();
    return this.#sessions.delete(id);
  }

  async close(): Promise<void> {
    for (const id of [...this.#sessions.keys()]) this.end(id);
  }

  #bound(): void {
    for (const { id, usedAt } of this.#sessions.values()) {
      if (this.#sessions.size <= MAX_SESSIONS && this.#now() - usedAt < EXPIRY_MS) return;
      this.end(id);
    }
  }
}

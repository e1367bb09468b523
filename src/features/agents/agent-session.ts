import { randomBytes } from "node:crypto";

/** A sandbox that a session has created for itself. */
export interface OwnSandbox {
  /** Undefined where there are no sandboxes: then reads see the shared data. */
  readonly name: string | undefined;
  readonly url: string | undefined;
  /** Why there is none. */
  readonly reason?: string;
  readonly isReadOnly?: boolean;
}

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

export function newSandboxName(): string {
  return `agent-${randomBytes(4).toString("hex")}`;
}

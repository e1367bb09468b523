import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { ResettableServer } from "./comparison.ts";

const PROCESS = fileURLToPath(new URL("./json-server-process.mjs", import.meta.url));

interface ServeMessage {
  readonly server: number;
  /** Undefined: the server shall stop. */
  readonly data?: JsonObject | undefined;
}

interface ServingMessage {
  readonly server: number;
  readonly port: number;
}

export interface JsonServer extends ResettableServer {
  stop(): void;
}

/** Real json-servers 0.17.4, as many as are asked for, in a process of their own. */
export class JsonServers {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (port: number) => void; reject: (error: Error) => void }>();
  #started = 0;

  constructor() {
    this.#child = fork(PROCESS, { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    this.#child.on("message", ({ server, port }: ServingMessage) => this.#waiting.get(server)?.resolve(port));
    this.#child.on("exit", (code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`json-server ended with code ${code}.`));
    });
  }

  /** One more, serving these data. */
  async start(data: JsonObject): Promise<JsonServer> {
    const server = this.#started++;
    return {
      port: await this.#serve(server, data),
      serve: (data) => this.#serve(server, data),
      stop: () => this.#tell({ server }),
    };
  }

  /** Ends the process, and with it every server. */
  async end(): Promise<void> {
    const exit = once(this.#child, "exit");
    this.#child.disconnect();
    await exit;
  }

  #serve(server: number, data: JsonObject): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(server, { resolve, reject });
      this.#tell({ server, data });
    });
  }

  #tell(message: ServeMessage): void {
    this.#child.send(message);
  }
}

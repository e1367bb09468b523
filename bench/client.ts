import { connect, type Socket } from "node:net";

export interface Conversation {
  /** The bytes to send next; undefined ends the conversation. */
  nextRequest(): Buffer | undefined;
  onAnswer(milliseconds: number): void;
}

const END_OF_HEAD = "\r\n\r\n";

/**
 * One connection that asks, waits for the whole answer, and asks again. It looks for the end of an answer and for
 * nothing else, so that it costs less than any server under test. An answer must be 2xx and say its length.
 */
export class Client {
  readonly done: Promise<void>;
  readonly #socket: Socket;
  readonly #conversation: Conversation;
  #sentAt = 0;
  /** Bytes of the response body still to come; undefined until the head is complete. */
  #missing: number | undefined;
  #head = "";

  constructor(host: string, port: number, conversation: Conversation) {
    this.#conversation = conversation;
    this.#socket = connect({ host, port, noDelay: true });
    this.done = new Promise((resolve, reject) => {
      this.#socket.once("connect", () => this.#ask());
      this.#socket.on("data", (bytes) => this.#read(bytes));
      this.#socket.once("error", reject);
      this.#socket.once("close", resolve);
    });
  }

  #ask(): void {
    const request = this.#conversation.nextRequest();
    if (!request) {
      this.#socket.destroy();
      return;
    }
    this.#missing = undefined;
    this.#head = "";
    this.#sentAt = performance.now();
    this.#socket.write(request);
  }

  #read(bytes: Buffer): void {
    if (this.#missing === undefined) {
      this.#head += bytes.toString("latin1");
      const end = this.#head.indexOf(END_OF_HEAD);
      if (end === -1) return;
      const length = lengthIn(this.#head.slice(0, end));
      if (length === undefined) {
        this.#socket.destroy(new Error(`not an answer to measure: ${this.#head.slice(0, end)}`));
        return;
      }
      this.#missing = length - (this.#head.length - end - END_OF_HEAD.length);
    } else this.#missing -= bytes.length;
    if (this.#missing > 0) return;
    this.#conversation.onAnswer(performance.now() - this.#sentAt);
    this.#ask();
  }
}

/** The length of the body; undefined if the response is not a success. */
function lengthIn(head: string): number | undefined {
  if (!head.startsWith("HTTP/1.1 2")) return undefined;
  const [, length] = /^content-length: *(\d+)/im.exec(head) ?? [];
  return length === undefined ? undefined : Number(length);
}

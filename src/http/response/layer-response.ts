import type { LayerReply, LayerResponse } from "../../layers/layer.ts";
import type { Exchange } from "../exchange.ts";
import type { Sender } from "./send.ts";

/**
 * The response as layers see it. It collects their headers, which leave with the response: handing them to Node one by
 * one would take a third of the time of a small request.
 */
export class CollectingResponse implements LayerResponse {
  readonly #exchange: Exchange;
  readonly #sender: Sender;
  readonly #headers: string[] = [];

  constructor(exchange: Exchange, sender: Sender) {
    this.#exchange = exchange;
    this.#sender = sender;
    exchange.layerHeaders = this.#headers;
  }

  get destroyed(): boolean {
    return this.#exchange.hasLeft;
  }

  once(event: "close", listener: () => void): void {
    this.#exchange.res.once(event, listener);
  }

  off(event: "close", listener: () => void): void {
    this.#exchange.res.off(event, listener);
  }

  setHeader(name: string, value: string): void {
    const position = this.#headers.indexOf(name);
    if (position === -1) this.#headers.push(name, value);
    else this.#headers[position + 1] = value;
  }

  hasHeader(name: string): boolean {
    return this.#headers.includes(name);
  }

  reply(reply: LayerReply): void {
    void this.#sender.send(this.#exchange, reply);
  }
}

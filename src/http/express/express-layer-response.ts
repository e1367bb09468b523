import type { ServerResponse } from "node:http";
import type { LayerReply, LayerResponse } from "../../layers/layer.ts";

/** The response as layers see it between interceptors, where headers are set at once. */
export class ExpressLayerResponse implements LayerResponse {
  readonly #res: ServerResponse;
  readonly reply: (reply: LayerReply) => void;

  constructor(res: ServerResponse, reply: (reply: LayerReply) => void) {
    this.#res = res;
    this.reply = reply;
  }

  get destroyed(): boolean {
    return this.#res.destroyed;
  }

  once(event: "close", listener: () => void): void {
    this.#res.once(event, listener);
  }

  off(event: "close", listener: () => void): void {
    this.#res.off(event, listener);
  }

  setHeader(name: string, value: string): void {
    this.#res.setHeader(name, value);
  }

  hasHeader(name: string): boolean {
    return this.#res.hasHeader(name);
  }
}

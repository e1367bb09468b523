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

  setHeader(name: string, value: string): void {
    this.#res.setHeader(name, value);
  }

  hasHeader(name: string): boolean {
    return this.#res.hasHeader(name);
  }
}

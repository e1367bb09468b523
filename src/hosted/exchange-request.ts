import type { Json } from "../base/json/json.ts";
import { readAnyBody } from "../http/body/any-body.ts";
import { readBodyText } from "../http/body/body.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Parameters } from "../query/parameters.ts";
import type { HostedRequest } from "./hosted.ts";

/** An exchange as hosted mode sees it. Rarely used parts cost nothing until they are read. */
export class ExchangeRequest implements HostedRequest {
  readonly #exchange: Exchange;
  readonly #maxBodyBytes: number;
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly headers: HostedRequest["headers"];

  constructor(exchange: Exchange, maxBodyBytes: number, path = exchange.target.path) {
    this.#exchange = exchange;
    this.#maxBodyBytes = maxBodyBytes;
    this.method = exchange.method;
    this.path = path;
    this.search = exchange.target.search;
    this.headers = exchange.req.headers;
  }

  get parameters(): Parameters {
    return this.#exchange.parameters;
  }

  readBody(): Promise<Json | undefined> {
    return readAnyBody(this.#exchange.req, this.#maxBodyBytes);
  }

  readBodyText(): Promise<string> {
    return readBodyText(this.#exchange.req, this.#maxBodyBytes);
  }
}

import type { Service } from "../http/contract.ts";
import { createWebHandler } from "../http/fetch/web-handler.ts";
import { Pipeline } from "../http/pipeline.ts";

export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RequestResponse<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** The value of a JSON body, else the text. */
  readonly body: Body;
}

/** Requests of a program to its own server, without a socket. */
export interface InProcess {
  /** Responds as the server would to `fetch(url)`. A path alone is one of this server. */
  fetch(request: Request | URL | string, init?: RequestInit): Promise<Response>;
  /**
   * Sends a request in one line.
   *
   * @example
   * const { status, body } = await api.request("GET /products?price:lt=10");
   */
  request<Body = unknown>(line: string, options?: RequestOptions): Promise<RequestResponse<Body>>;
}

/** `url` is where the server, or a sandbox, is reached. `isTrusted` leaves out the guards of our own routes. @internal */
export function createInProcess(service: Service, url: string, isTrusted = false): InProcess {
  // Interceptors are Express middlewares, which want a real request.
  const needsSocket = service.steps.some(({ kind }) => kind === "interceptor");
  let respond: ReturnType<typeof createWebHandler> | undefined;
  const fetch: InProcess["fetch"] = async (input, init) => {
    const isPath = typeof input === "string" && input.startsWith("/");
    // A copy would refuse a body that has been used, with an error of the platform's.
    const isWhole = init === undefined && input instanceof Request;
    const request = isWhole ? input : new Request(isPath ? `${url}${input}` : input, init);
    if (needsSocket) return globalThis.fetch(request);
    respond ??= createWebHandler(new Pipeline(service), isTrusted);
    return respond(request);
  };
  return {
    fetch,
    async request<Body>(line: string, { body, headers = {} }: RequestOptions = {}) {
      const [method = "", path = ""] = line.split(/ (.*)/s);
      if (!/^[A-Z]+$/.test(method) || !path.startsWith("/")) {
        throw new TypeError(`"${line}" is not a request. Write its method and path, such as "GET /products".`);
      }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const type = body === undefined ? {} : { "Content-Type": "application/json" };
      const response = await fetch(path, { method, headers: { ...type, ...headers }, ...sent });
      return { status: response.status, headers: response.headers, body: (await bodyOf(response)) as Body };
    },
  };
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!/json/.test(response.headers.get("Content-Type") ?? "")) return text;
  return JSON.parse(text);
}

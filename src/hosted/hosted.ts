import type { IncomingHttpHeaders } from "node:http";
import type { Parameters } from "../query/parameters.ts";
import { type Asked, capturesOf, type Endpoint } from "./endpoint.ts";
import { exampleNotFound } from "./miss.ts";
import type { HostedReply } from "./prepare.ts";
import type { Routes } from "./routes.ts";
import { canonicalBody } from "./same-body.ts";
import { readWishes } from "./wishes.ts";

/** A request as hosted mode looks at it. The body is read only if it is to be compared. */
export interface HostedRequest {
  readonly method: string;
  readonly path: string;
  /** The query string, without the question mark. */
  readonly search: string;
  readonly parameters: Parameters;
  readonly headers: IncomingHttpHeaders;
  readBodyText(): Promise<string>;
}

/** Answers from examples. Nothing that a request does is kept. */
export class Hosted {
  /** Exchanged as a whole when the examples are reloaded. */
  routes: Routes;

  constructor(routes: Routes) {
    this.routes = routes;
  }

  /** Rejects with `EXAMPLE_NOT_FOUND` when no example fits. */
  async answer(request: HostedRequest): Promise<HostedReply> {
    const { routes } = this;
    const { path, search, headers, parameters } = request;
    // HEAD is GET without the body, unless someone saved an example of it.
    const methods = request.method === "HEAD" ? ["HEAD", "GET"] : [request.method];
    const wishes = readWishes(headers);
    const body = wishes?.matchesBody ? canonicalBody(await request.readBodyText()) : undefined;
    const asked: Asked = { search, parameters, accept: headers.accept, wishes, body };
    const fitting: Endpoint[] = [];
    for (const method of methods) {
      for (const { endpoint, values } of routes.find(method, path)) {
        const choice = endpoint.choose(asked);
        if (choice) {
          const { candidate, status } = choice;
          return candidate.respond(capturesOf(candidate.example, values, parameters), status);
        }
        fitting.push(endpoint);
      }
    }
    if (request.method === "OPTIONS") return { status: 204, headers: { Allow: this.#offered(path) } };
    throw exampleNotFound(routes, request.method, path, fitting, wishes);
  }

  #offered(path: string): string {
    const methods = [...new Set(this.routes.endpoints.map(({ method }) => method))];
    const offered = methods.filter((method) => !this.routes.find(method, path).next().done);
    return [...offered, ...(offered.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  }
}

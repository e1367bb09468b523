import type { Call } from "../http/call.ts";
import { capturesOf, type Endpoint } from "./endpoint.ts";
import type { Unanswered } from "./example.ts";
import { exampleNotFound } from "./miss.ts";
import { readExampleWishes, WISH_HEADERS } from "./preferred-example.ts";
import type { HostedReply } from "./prepare.ts";
import type { Routes } from "./routes.ts";
import { canonicalBody } from "./same-body.ts";

/** Responds from examples. Requests leave no state behind. */
export class Hosted {
  /** Exchanged as a whole when the examples are reloaded. */
  routes: Routes;
  /** Requests that the source has no response for. */
  unanswered: readonly Unanswered[];

  constructor(routes: Routes, unanswered: readonly Unanswered[] = []) {
    this.routes = routes;
    this.unanswered = unanswered;
  }

  /**
   * Responds to a call whose path has this rest below the mock. Rejects with `EXAMPLE_NOT_FOUND` when no example fits. The
   * body is read only if it is to be compared.
   */
  async respond(call: Call, path = call.target.path): Promise<HostedReply> {
    const { routes } = this;
    const { method } = call;
    const wishes = mayWish(call.headers) ? readExampleWishes(call.headers) : undefined;
    const body = wishes?.matchesBody ? canonicalBody(await call.bodyText()) : undefined;
    const fitting: Endpoint[] = [];
    // HEAD is GET without the body, unless someone saved an example of it.
    for (const asked of method === "HEAD" ? ["HEAD", "GET"] : [method]) {
      for (const { endpoint, values } of routes.find(asked, path)) {
        const choice = endpoint.choose(call, wishes, body);
        if (choice) {
          const { candidate, status } = choice;
          const { check } = candidate.example.request;
          const warning = check && (await check(call, values));
          const reply = candidate.respond(capturesOf(candidate.example, values, call), status);
          return warning === undefined ? reply : withHeader(reply, "Warning", warning);
        }
        fitting.push(endpoint);
      }
    }
    if (method === "OPTIONS") return { status: 204, headers: { Allow: this.#offered(path) } };
    throw exampleNotFound(routes, { method, path, fitting, wishes, unanswered: this.unanswered });
  }

  #offered(path: string): string {
    const methods = [...new Set(this.routes.endpoints.map(({ method }) => method))];
    const offered = methods.filter((method) => !this.routes.find(method, path).next().done);
    return [...offered, ...(offered.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  }
}

/** Most requests come without preferences. */
function mayWish(headers: Call["headers"]): boolean {
  for (const name of WISH_HEADERS) if (headers[name] !== undefined) return true;
  return false;
}

function withHeader({ isFixed: _, ...reply }: HostedReply, name: string, value: string): HostedReply {
  return { ...reply, headers: { ...reply.headers, [name]: value } };
}

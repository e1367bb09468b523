import { distance } from "fastest-levenshtein";
import { StandinError } from "../base/errors.ts";
import { PathTree, splitPath } from "../base/path-tree.ts";
import { asksForStream } from "../http/body/asks-for-stream.ts";
import type { Call } from "../http/call.ts";
import type { Reply } from "../http/response/reply.ts";
import { decodeSegment, type PathTemplate } from "../openapi/read/path-template.ts";
import { canonicalBody, capturesOf, type Endpoint, wishProblem } from "./endpoint.ts";
import type { CheckOutcome, Unanswered } from "./example.ts";
import { readExampleWishes, WISH_HEADERS, type Wishes } from "./preferred-example.ts";
import type { HostedReply } from "./prepare.ts";
import type { Routes } from "./routes.ts";

/** How many near examples a miss names. */
const SHOWN = 3;
/** A miss must stay cheap where there are very many endpoints or very long paths. */
const MAX_COMPARED = 500;
const MAX_LENGTH = 100;
const EVENTS = "text/event-stream";
/** The outcome for requests that are not validated. */
const PASSED: CheckOutcome = {};

interface Near {
  readonly example: string;
  readonly request: string;
  readonly why: string;
}

/** A request that no example matches. */
interface Missed {
  readonly method: string;
  readonly path: string;
  /** Endpoints of the same method and path. */
  readonly fitting: readonly Endpoint[];
  readonly wishes: Wishes | undefined;
  readonly unanswered: readonly Unanswered[];
}

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
  async respond(call: Call, path = call.target.path): Promise<Reply> {
    const { routes } = this;
    const { method } = call;
    const wishes = mayWish(call.headers) ? readExampleWishes(call.headers) : undefined;
    const body = wishes?.matchesBody ? canonicalBody(await call.bodyText()) : undefined;
    const fitting: Endpoint[] = [];
    // HEAD is GET without the body, unless someone saved an example of it.
    for (const asked of method === "HEAD" ? ["HEAD", "GET"] : [method]) {
      for (const { endpoint, values } of routes.find(asked, path)) {
        // An example is sent whatever the body is.
        const isStream = endpoint.hasStream && call.hasBody && (await asksForStream(call).catch(() => false));
        const accept = isStream ? EVENTS : call.headers.accept;
        const choice = endpoint.choose(call, wishes, { body, accept });
        if (choice) {
          const { candidate, status } = choice;
          const { check } = candidate.example.request;
          const { refusal, warning } = check ? await check(call, values) : PASSED;
          if (refusal) return refusal;
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

/** The error of a request that no example matches: it names the nearest ones, and what each of them lacks. */
function exampleNotFound(routes: Routes, { method, path, fitting, wishes, unanswered }: Missed): StandinError {
  const known = unanswered.find((request) => request.method === method && fitsTemplate(request.path, path));
  if (known) return unansweredError(known);
  const nearest = fitting.length > 0 && wishes ? unwished(fitting, wishes) : nearby(routes, method, path);
  const list = nearest.map(({ request, example, why }) => `${request} ("${example}"): ${why}`);
  const hint =
    list.length > 0 ? `The nearest are ${list.join("; ")}.` : "There are no examples at all; the file has none.";
  return new StandinError(
    "EXAMPLE_NOT_FOUND",
    `No example matches ${method} ${shorten(path)}. ${hint}`,
    {},
    { nearest },
  );
}

function unansweredError({ name, method, path, why }: Unanswered): StandinError {
  const request = `${method} ${path.text}`;
  const message = `The file has ${shorten(request)} ("${shorten(name)}"), but ${why}`;
  return new StandinError("EXAMPLE_NOT_FOUND", message, {}, { nearest: [{ example: name, request, why }] });
}

function fitsTemplate({ segments }: PathTemplate, path: string): boolean {
  const tree = new PathTree<true>({ ignoresCase: true });
  tree.at(segments, () => true);
  return tree.find(splitPath(path.length > 1 ? path.replace(/(?<!\/)\/+$/, "") : path).map(decodeSegment)).length > 0;
}

/** Method and path fit, but the headers of the request rule every example out. */
function unwished(endpoints: readonly Endpoint[], wishes: Wishes): Near[] {
  const near = endpoints.flatMap((endpoint) =>
    endpoint.examples.slice(0, SHOWN).map((example) => ({
      example: example.name,
      request: `${endpoint.method} ${endpoint.path.text}`,
      why: wishProblem(example, wishes) ?? preferenceProblem(example.name, wishes) ?? "its body is another",
    })),
  );
  return near.slice(0, SHOWN);
}

function preferenceProblem(name: string, { preferred }: Wishes): string | undefined {
  if (preferred === undefined) return undefined;
  return name === preferred
    ? `it belongs to another response than the one that is sent; add code= to Prefer`
    : `its name is "${name}", not "${preferred}"`;
}

function nearby({ endpoints }: Routes, method: string, path: string): Near[] {
  const wanted = path.toLowerCase().slice(0, MAX_LENGTH);
  const segments = splitPath(wanted);
  const ranked = endpoints.slice(0, MAX_COMPARED).map((endpoint) => {
    const far = distance(wanted, pathLike(endpoint, segments));
    return { endpoint, far: far + (endpoint.method === method ? 0 : 0.5) };
  });
  ranked.sort((a, b) => a.far - b.far);
  return ranked.slice(0, SHOWN).map(({ endpoint }) => ({
    example: endpoint.usual.name,
    request: `${endpoint.method} ${endpoint.path.text}`,
    why: pathProblem(endpoint, method, path),
  }));
}

/** The path of an endpoint with the request's own segments in place of wildcards, which fit anything. */
function pathLike({ path }: Endpoint, segments: readonly string[]): string {
  const segmentTexts = path.segments.map((segment, position) =>
    segment.kind === "literal" ? segment.text.toLowerCase() : (segments[position] ?? ""),
  );
  return `/${segmentTexts.join("/")}`.slice(0, MAX_LENGTH);
}

function pathProblem({ path, method: own }: Endpoint, method: string, requested: string): string {
  const segments = splitPath(requested.length > 1 ? requested.replace(/\/$/, "") : requested);
  const expected = path.segments.length;
  if (segments.length !== expected) return `its path has ${parts(expected)}, yours has ${segments.length}`;
  for (const [position, segment] of path.segments.entries()) {
    const part = segments[position] ?? "";
    if (segment.kind !== "literal" || segment.text.toLowerCase() === part.toLowerCase()) continue;
    return `part ${position + 1} of its path is "${segment.text}", not "${shorten(part)}"`;
  }
  return own === method ? "a wildcard stands for one part that is not empty" : `its method is ${own}, not ${method}`;
}

function parts(count: number): string {
  return count === 1 ? "1 part" : `${count} parts`;
}

function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}

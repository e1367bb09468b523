import { StandinError } from "../base/errors.ts";
import type { Eventually } from "../base/eventually.ts";
import type { JsonObject } from "../base/json/json.ts";
import { inSlices } from "../base/slices.ts";
import { type Call, isOwnPath } from "../http/call.ts";
import { firstOf } from "../http/compose-hooks.ts";
import type { OpenFeature, Responder, Service } from "../http/contract.ts";
import { RouteTable } from "../http/path-pattern.ts";
import type { Reply } from "../http/response/reply.ts";
import { REWRITE_ROUTES, respondByOwn, segmentsOf } from "../http/router.ts";
import { keyOf, type LatestRequests, respondWithIndex } from "./mock-index.ts";
import { type FoundMock, isOpenTo, type Mocks } from "./mocks.ts";
import { hasOwnRoot } from "./page/index-of-mocks.ts";
import { expectKey } from "./private.ts";

/** Bodies that the traffic log shows: texts. */
const TEXT_TYPE = /json|xml|text|x-www-form-urlencoded|graphql|yaml/i;

/** The routes beside the examples. */
interface Routes {
  readonly findCustom: OpenFeature["findRoute"];
  readonly own: RouteTable;
}

/** Responds from examples: the routes of plugins come first, and our own routes last. */
export class ExamplesResponder implements Responder {
  readonly #mocks: Mocks;
  readonly name = "examples";
  readonly #latestOf: (service: Service) => LatestRequests | undefined;
  /** Made with the first request, when all features are open. */
  #routes: Routes | undefined;

  constructor(mocks: Mocks, latestOf: (service: Service) => LatestRequests | undefined) {
    this.#mocks = mocks;
    this.#latestOf = latestOf;
  }

  has(path: string, method: string): boolean {
    const found = this.#mocks.find(path);
    if (!found) return false;
    const { routes } = found.mock.hosted;
    return (method === "HEAD" ? ["HEAD", "GET"] : [method]).some((one) => !routes.find(one, found.path).next().done);
  }

  shownTo(reader: Call): (path: string) => boolean {
    const key = keyOf(reader);
    return (path) => this.#mocks.isOpen(path, key);
  }

  async describe(reader: Call): Promise<JsonObject> {
    const { describeMocks } = await import("./describe-mocks.ts");
    const key = keyOf(reader);
    const open = this.#mocks.list.filter((mock) => mock.problem === undefined && isOpenTo(mock, key));
    return inSlices(describeMocks(open, reader.baseUrl));
  }

  readonly respond = (call: Call, service: Service): Eventually<Reply> => {
    const { path } = call.target;
    const { only } = this.#mocks;
    const reply = this.#respondByRoute(call, service);
    if (reply) return reply;
    if (only && path !== "/") return this.#respondFrom({ mock: only, path }, call, service);
    const found = this.#mocks.find(path);
    if (service.settings.console && call.isRead) {
      const index = { mocks: this.#mocks, latest: this.#latestOf(service), service };
      if (path === "/" && !only) return respondWithIndex(call, index);
      if (found?.path === "/" && !found.mock.problem && !hasOwnRoot(found.mock)) {
        return respondWithIndex(call, index, found.mock);
      }
    }
    if (!found) throw this.#mockNotFound(path);
    // An interceptor may have sent the request on to this mock.
    if (found.mock.keys && !only) expectKey(found.mock.keys, call.headers["x-api-key"]);
    return this.#respondFrom(found, call, service);
  };

  #respondByRoute(call: Call, service: Service): Eventually<Reply> | undefined {
    const { path } = call.target;
    this.#routes ??= routesOf(service);
    const { findCustom, own } = this.#routes;
    const isOwn = isOwnPath(path) && !this.has(path, call.method);
    if (!findCustom && !isOwn) return undefined;
    const segments = segmentsOf(path);
    const found = findCustom?.(segments, call.method) ?? (isOwn ? own.find(segments) : undefined);
    return found && respondByOwn(found, call, service);
  }

  // Hot path: no promise beside that of the example.
  #respondFrom({ mock, path }: FoundMock, call: Call, service: Service): Promise<Reply> {
    if (mock.problem !== undefined) throw new StandinError("MOCK_UNAVAILABLE", mock.problem);
    if (!call.hasBody) return mock.hosted.respond(call, path);
    return this.#takeBody(call, service).then(() => mock.hosted.respond(call, path));
  }

  #mockNotFound(path: string): StandinError {
    const names = this.#mocks.list.map(({ name }) => `/${name}`);
    const known = names.length === 0 ? "The folder has none." : `There are ${names.slice(0, 20).join(", ")}.`;
    return new StandinError(
      "EXAMPLE_NOT_FOUND",
      `No mock is served at ${path.slice(0, 100)}. ${known}`,
      {},
      { nearest: [] },
    );
  }

  /** Reads the body, so that none is larger than allowed and the log can show it. */
  async #takeBody(call: Call, service: Service): Promise<void> {
    await call.keepBody();
    if (this.#latestOf(service) && TEXT_TYPE.test(call.headers["content-type"] ?? "text")) {
      // An example is sent whatever the body is: one that cannot be decompressed is not shown.
      await call.bodyText().catch(() => "");
    }
  }
}

function routesOf({ features }: Service): Routes {
  return {
    findCustom: firstOf(features.flatMap(({ findRoute }) => findRoute ?? [])),
    own: new RouteTable([...REWRITE_ROUTES, ...features.flatMap(({ routes = [] }) => routes)]),
  };
}

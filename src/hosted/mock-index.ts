import Negotiator from "negotiator";
import type { Call } from "../http/call.ts";
import type { Service } from "../http/contract.ts";
import { isOutsider } from "../http/own-routes.ts";
import { jsonReply, type Reply } from "../http/response/reply.ts";
import { isOpenTo, type Mock, type Mocks } from "./mocks.ts";
import { indexMocks, type MockIndex } from "./page/index-of-mocks.ts";
import { PAGE_POLICY, renderStartPage, type ShownRequest } from "./page/start-page.ts";

/** How many of the latest requests the page shows. */
const SHOWN_REQUESTS = 25;

/** The latest requests to paths that may be seen, newest first. */
export type LatestRequests = (count: number, isShown: (path: string) => boolean) => readonly ShownRequest[];

interface IndexParts {
  readonly mocks: Mocks;
  /** Undefined where requests are not kept. */
  readonly latest: LatestRequests | undefined;
  readonly service: Service;
}

/** The index of all mocks, or of one: a page for browsers, JSON for programs. */
export function respondWithIndex(call: Call, { mocks, latest, service }: IndexParts, one?: Mock): Reply {
  const key = keyOf(call);
  const isOpen = (mock: Mock): boolean => isOpenTo(mock, key);
  const entries = indexMocks(one ? [one] : mocks.list, { baseUrl: call.baseUrl, isOpen });
  const skipped = one ? [] : mocks.skipped;
  call.answeredBy = "index";
  if (new Negotiator(call).mediaType(["application/json", "text/html"]) !== "text/html") {
    const index: MockIndex = {
      name: "standin",
      mocks: entries,
      ...(skipped.length > 0 && { skipped }),
      ...(latest && { requests: `${call.baseUrl}/__requests` }),
    };
    return jsonReply(JSON.stringify(index));
  }
  // Requests of others are for people at this server, not for pages of other origins.
  const requests = isOutsider(call, service.settings)
    ? undefined
    : latest?.(SHOWN_REQUESTS, (path) => mocks.isOpen(path, key));
  return {
    status: 200,
    content: { type: "text/html; charset=utf-8", body: renderStartPage({ mocks: entries, skipped, requests }) },
    headers: { "Content-Security-Policy": PAGE_POLICY, "Cache-Control": "no-store" },
  };
}

export function keyOf(call: Call): string | undefined {
  const header = call.headers["x-api-key"];
  return header === undefined || header === "" ? undefined : String(header);
}

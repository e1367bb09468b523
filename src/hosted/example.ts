import type { Call } from "../http/call.ts";
import type { Reply } from "../http/response/reply.ts";
import type { PathTemplate } from "../openapi/read/path-template.ts";
import type { StatusRange } from "../openapi/read/status.ts";
import type { DynamicValues } from "./body-template.ts";

/** A saved pair of request and response: what every source of examples is turned into. */
export interface Example {
  readonly name: string;
  /** The id for `x-mock-response-id`; undefined where the source has none. */
  readonly id: string | undefined;
  readonly request: ExampleRequest;
  readonly response: ExampleResponse;
}

/** A request that the source knows, but has no response for. */
export interface Unanswered {
  readonly name: string;
  readonly method: string;
  readonly path: PathTemplate;
  readonly why: string;
}

export interface ExampleRequest {
  readonly method: string;
  readonly path: PathTemplate;
  readonly query: readonly QueryTerm[];
  /** By name in lower case. Compared only on request. */
  readonly headers: ReadonlyMap<string, string>;
  /** Compared only on request. */
  readonly body: string | undefined;
  /** Undefined where requests are not validated. */
  readonly check?: ExampleCheck | undefined;
}

/**
 * Validates a request with these values of its path's wildcards. Rejects, or resolves to the response that refuses it in the
 * source's own form, or to the value of a `Warning` header.
 */
export type ExampleCheck = (call: Call, pathValues: readonly string[]) => Promise<CheckOutcome>;
export interface CheckOutcome {
  readonly refusal?: Reply | undefined;
  readonly warning?: string | undefined;
}

/** `status=open`; with a wildcard in place of the value, any value will do. */
export interface QueryTerm {
  readonly name: string;
  readonly value: string;
  /** The name of the value in the response; undefined for a fixed value. */
  readonly wildcard: string | undefined;
}

export interface ExampleResponse {
  readonly status: number;
  /** Other codes that it covers when they are requested by number: those of `4XX`, or all for `default`. */
  readonly range: StatusRange | undefined;
  /** The media type of the body; undefined for none. */
  readonly type: string | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As it is sent, but for `{{names}}` of wildcards; undefined for none. */
  readonly body: string | Buffer | undefined;
  /** The values of names such as `{{$guid}}`; undefined where there are none. */
  readonly dynamic?: DynamicValues | undefined;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The names that captured values have in the response. */
export function wildcardsOf({ path, query }: ExampleRequest): string[] {
  return [...path.names, ...query.flatMap(({ wildcard }) => wildcard ?? [])];
}

import type { Json, JsonObject } from "../../base/json/json.ts";
import type { Placed, References } from "../../schema/references.ts";
import type { PathQueryTerm } from "./path-query.ts";
import type { PathTemplate } from "./path-template.ts";
import type { StatusRange } from "./status.ts";

/** An OpenAPI document, read and understood. Parts of operations are read when they are first looked at. */
export interface ApiDocument {
  readonly file: string;
  /** The paths of further files that it is made of. */
  readonly otherFiles: readonly string[];
  /** `3.0`, `3.1` or `3.2`. */
  readonly version: string;
  readonly title: string;
  /** Paths in front of those of the operations, such as `/v1`; empty for none. Requests may come with or without them. */
  readonly basePaths: readonly string[];
  readonly operations: readonly Operation[];
  readonly securitySchemes: ReadonlyMap<string, JsonObject>;
  readonly references: References;
  readonly root: JsonObject;
  /** Things that a person may want to know. */
  readonly notes: readonly string[];
}

export interface Operation {
  /** In capitals. */
  readonly method: string;
  readonly path: PathTemplate;
  /** The parameters that its path names, as in `/pets?kind={kind}`: not OpenAPI, but many documents have them. */
  readonly query: readonly PathQueryTerm[];
  /** Where it stands, such as `#/paths/~1pets/get`. */
  readonly place: string;
  readonly operationId: string | undefined;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  /** Whether traffic has shown that it neither lists nor sends records: from `x-standin-unbound`. */
  readonly isUnbound?: boolean;
  /** Its own and those of its path. */
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  /** The usual one first. */
  readonly responses: readonly CodedResponse[];
  /** One of them must be met; none is needed where the list is empty. */
  readonly security: readonly SecurityRequirement[];
}

export const PARAMETER_PLACES = ["path", "query", "header", "cookie", "querystring"] as const;

export interface Parameter {
  readonly name: string;
  readonly in: (typeof PARAMETER_PLACES)[number];
  readonly isRequired: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly schema: Placed | undefined;
  /** The media type of its value, where it is described by `content`. */
  readonly contentType: string | undefined;
  readonly description?: string | undefined;
  /** `filter`, `limit`, `ignored` or, in a path, `open`, where traffic has shown it: from `x-standin-role`. */
  readonly role?: string | undefined;
  /** The field of records that stores the value of a path's wildcard, where traffic has shown it: from `x-standin-field`. */
  readonly field?: string | undefined;
  /** The records of a page unless a request says how many, where traffic has shown it: from `x-standin-page-size`. */
  readonly pageSize?: number | undefined;
  readonly place: string;
}

export interface RequestBody {
  readonly isRequired: boolean;
  readonly description?: string | undefined;
  readonly contents: readonly MediaContent[];
}

/** One response of an operation. */
export interface CodedResponse {
  /** As in the document: `200`, `4XX` or `default`. */
  readonly code: string;
  /** The status that is sent unless another one of its range is requested. */
  readonly status: number;
  /** Other codes that it covers: those of `4XX`, or all for `default`. */
  readonly range: StatusRange | undefined;
  readonly headers: readonly ResponseHeader[];
  readonly contents: readonly MediaContent[];
  readonly place: string;
}

export interface ResponseHeader {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Placed | undefined;
  readonly examples: readonly NamedExample[];
}

/** A body in one media type. */
export interface MediaContent {
  readonly type: string;
  readonly schema: Placed | undefined;
  /** How the fields of a form are written, by their names. */
  readonly encoding?: JsonObject | undefined;
  /** `example`, named "default", and `examples`; those of the schema are not among them. */
  readonly examples: readonly NamedExample[];
  readonly place: string;
}

export interface NamedExample {
  readonly name: string;
  /** The query of the requests that it responds to, where it was recorded: from `x-standin-query`. */
  readonly query?: readonly PathQueryTerm[] | undefined;
  /** Their path, where others have other examples: from `x-standin-path`. */
  readonly path?: PathTemplate | undefined;
  readonly value: Json;
}

/** Schemes that must all be met. */
export type SecurityRequirement = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

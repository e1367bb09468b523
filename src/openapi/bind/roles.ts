/** The meanings of fields around a list. */
export const ENVELOPE_ROLES = [
  /** All records that match. */
  "total",
  /** Records on this page. */
  "count",
  /** Counted from 1. */
  "page",
  /** Counted from 0. */
  "pageIndex",
  "limit",
  "pages",
  "offset",
  /** An offset counted from 1. */
  "position",
  /** The position of the last record of this page. */
  "end",
  /** The same, counted from 1. */
  "lastPosition",
  "nextUrl",
  "previousUrl",
  "firstUrl",
  "lastUrl",
  "selfUrl",
  "nextPage",
  "previousPage",
  "nextOffset",
  "previousOffset",
  "nextCursor",
  "previousCursor",
  /** Leads to this page. */
  "currentCursor",
  "hasMore",
  "hasPrevious",
  "isFirst",
  "isLast",
  "isEmpty",
  /** Whether the request sorts the list, and whether it has pages. */
  "isSorted",
  "isUnsorted",
  "isPaged",
  "isUnpaged",
  /** Ids of the records at both ends of this page. */
  "firstId",
  "lastId",
  /** `[{ "rel": "next", "href": "..." }]` */
  "links",
] as const;
export type EnvelopeRole = (typeof ENVELOPE_ROLES)[number];

/** The meanings of query parameters of a list. */
export const PARAMETER_ROLES = [
  "page",
  "pageIndex",
  "limit",
  "offset",
  /** An offset counted from 1. */
  "position",
  /** Continues after the record that a cursor or an id names. */
  "cursor",
  /** Ends before it. */
  "before",
  /** Field names, with a `-` or a direction maybe. */
  "sort",
  /** `asc` or `desc`. */
  "order",
  "search",
  /** Conditions on several fields, in a language of filters. */
  "where",
  /** Names of the fields to send. */
  "fields",
  /** Whether the response counts all records. */
  "totals",
  /** Whether the response has all records, and no pages. */
  "unpaged",
  /** Equals the field, or compares with it. */
  "filter",
] as const;
export type ParameterRole = (typeof PARAMETER_ROLES)[number];

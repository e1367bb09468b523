/** A header field as it was sent: duplicates stay apart. */
export type HeaderField = readonly [name: string, value: string];

/** A request and its response, as HTTP archives have them. Every exchange that is kept is redacted. */
export interface Exchange {
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** Unless it is not known. */
  readonly durationMs?: number;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly requestHeaders: readonly HeaderField[];
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly responseHeaders: readonly HeaderField[];
  /** The decompressed text; undefined where the body was not kept. */
  readonly responseBody: string | undefined;
  /** The media type of the response in lower case, without parameters; empty for none. */
  readonly mediaType: string;
}

/** The value of a header, by its name in lower case; undefined where it was not sent. */
export function headerIn(fields: readonly HeaderField[], name: string): string | undefined {
  return fields.find(([given]) => given.toLowerCase() === name)?.[1];
}

/** The media type of a `Content-Type`, in lower case and without parameters. */
export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

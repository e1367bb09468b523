import type { Exchange } from "../../../src/http/exchange.ts";

interface Sent {
  readonly body?: unknown;
  readonly headers?: readonly (readonly [string, string])[];
  readonly type?: string;
  /** The request's. */
  readonly sent?: unknown;
}

export type Row = readonly [line: string, status: number, sent?: Sent];

/** Exchanges as a recorder keeps them, one second apart: `traffic(["GET /products", 200, { body }])`. */
export function traffic(...rows: readonly Row[]): Exchange[] {
  return rows.map(([line, status, { body, headers = [], type = "application/json", sent } = {}], at) => {
    const [method = "", url = ""] = line.split(" ");
    return {
      startedAt: at * 1000,
      method,
      url,
      requestHeaders: sent === undefined ? [] : [["content-type", "application/json"]],
      requestBody: sent === undefined ? undefined : JSON.stringify(sent),
      status,
      responseHeaders: headers.map(([name, value]) => [name, value] as const),
      responseBody: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
      mediaType: body === undefined ? "" : type,
    };
  });
}

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** One request of a batch. Path and body may refer to responses of earlier requests, as in `{{order.id}}`. */
export interface BatchRequest {
  readonly method: (typeof METHODS)[number];
  /** Path and query, such as `/products/1`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: {
    readonly "If-Match"?: string;
    readonly Prefer?: string;
    readonly "Content-Type"?: string;
  };
  /** A name by which later requests refer to the response. */
  readonly as?: string;
}

export interface BatchResponse<Body = unknown> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** One response for each request, in their order. */
export type BatchResponses<Bodies extends readonly unknown[]> = {
  readonly [K in keyof Bodies]: BatchResponse<Bodies[K]>;
};

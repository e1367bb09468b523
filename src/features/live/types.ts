/** Selects requests. Members left out match every request. */
export interface TrafficFilter {
  readonly method?: string | undefined;
  /** Such as `/products/:id` or `/api/*`; compared before and after rewriting. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly sandbox?: string | undefined;
  /** Whether the reader may see requests to a path, before and after rewriting. */
  readonly isShown?: ((path: string) => boolean) | undefined;
}

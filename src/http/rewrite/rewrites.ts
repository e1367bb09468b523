/** Rewrite rules as given: path to path, in order. Others are not used. */
export type Rewrites = Readonly<Record<string, unknown>>;

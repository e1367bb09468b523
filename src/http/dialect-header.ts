/** A request with this header is understood in standin's own dialect, whichever one the server is set to. */
export const DIALECT_HEADER = "x-standin-dialect";

/** `standin/fetch`: the service without a server, for any runtime that has `Request` and `Response`. */

export type { ErrorCode } from "../base/errors.ts";
export { StandinError } from "../base/errors.ts";
export type { FetchOptions, StandinFetch } from "./create-fetch.ts";
export { createFetch, methods } from "./create-fetch.ts";
export type { StandinSandbox } from "./sandbox-scope.ts";

/** `standin/fetch`: the service without a server, for any runtime that has `Request` and `Response`. */
export type { FetchOptions, StandinFetch } from "./app/create-fetch.ts";
export { createFetch, methods } from "./app/create-fetch.ts";
export type { StandinSandbox } from "./app/sandbox-scope.ts";
export type { ErrorCode } from "./base/errors.ts";
export { StandinError } from "./base/errors.ts";

import { StandinError } from "../../base/errors.ts";

/** Interceptors are middlewares of Express, which runs on Node alone. */
export function loadInterceptors(entry: string): never {
  throw new StandinError("OPTION_UNAVAILABLE", `middlewares: "${entry}" is an interceptor, which needs Node.`);
}

export function findInterceptor(): undefined {
  return undefined;
}

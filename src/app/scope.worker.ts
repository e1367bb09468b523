import type { Service } from "../http/contract.ts";
import { createInProcess, type InProcess } from "./in-process.ts";
import type { ScopeOptions } from "./scope.ts";

/** Responds, and no more: no program holds the service of a worker. */
export function createScope(service: Service, url: string, { isTrusted }: ScopeOptions): InProcess {
  return createInProcess(service, url, isTrusted);
}

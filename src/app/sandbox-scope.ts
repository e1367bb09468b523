import { StartError } from "../base/errors.ts";
import type { JsonObject } from "../base/json/json.ts";
import { SANDBOX_HEADER, SANDBOX_PREFIX, sandboxesFeature } from "../features/sandboxes/feature.ts";
import type { PromoteOptions, Promotion } from "../features/sandboxes/types.ts";
import type { Service } from "../http/contract.ts";
import { createScope, type Scope, type ScopeOptions } from "./scope.ts";

/** `AsyncDisposable`, where the types of a project have it: `lib` of a page often ends before it. */
export type Disposal = SymbolConstructor extends { readonly asyncDispose: infer Name extends symbol }
  ? Readonly<Record<Name, () => Promise<void>>>
  : object;

export interface StandinSandbox<D extends object = JsonObject> extends Scope<D>, Disposal {
  readonly name: string;
  /** Headers that send a request to the server's `url` into this sandbox. Or use the sandbox's own `url`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Makes its changes one change of the main data. Rejects with `SANDBOX_CONFLICT`, and then changes nothing. */
  promote(options?: PromoteOptions): Promise<Promotion>;
  /** Deletes the sandbox and its data. */
  remove(): void;
}

/** The sandbox of that name, or a new one; `url` is where the server is reached. @internal */
export function createSandboxScope<D extends object>(
  service: Service,
  url: string,
  { name, ...options }: Omit<ScopeOptions, "sandbox"> & { readonly name: string | undefined },
): StandinSandbox<D> {
  const sandboxes = service.offer(sandboxesFeature);
  if (!sandboxes) throw new StartError("This server was created without sandboxes.");
  const sandbox = name === undefined ? sandboxes.create() : sandboxes.use(name);
  const scope = createScope<D>({ ...service, store: sandbox.store }, `${url}${SANDBOX_PREFIX}${sandbox.name}`, {
    ...options,
    sandbox: sandbox.name,
  });
  const remove = (): void => {
    if (sandboxes.list().includes(sandbox)) sandboxes.remove(sandbox.name);
  };
  return {
    ...scope,
    name: sandbox.name,
    headers: { [SANDBOX_HEADER]: sandbox.name },
    promote: (options) => sandboxes.promote(sandbox.name, service, options),
    remove,
    [Symbol.asyncDispose]: async () => remove(),
  };
}

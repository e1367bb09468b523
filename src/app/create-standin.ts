import type { JsonObject } from "../base/json/json.ts";
import type { Service } from "../http/contract.ts";
import { createMessages } from "../http/express/message-classes.ts";
import { createHandler } from "../http/node/handler.ts";
import { type Listening, listen } from "../http/node/server.ts";
import { stopServing } from "../http/node/stop.ts";
import { abandonService, announceAddress, closeService, openService } from "./open-service.ts";
import { type StandinOptions, startOf } from "./program-options.ts";
import { createSandboxScope, type StandinSandbox } from "./sandbox-scope.ts";
import { createScope, type Scope } from "./scope.ts";
import { servedOptions } from "./served-options.ts";

export interface Standin<D extends object = JsonObject> extends Scope<D>, AsyncDisposable {
  readonly port: number;
  /** Returns the sandbox of that name, a private view of the data; creates it if there is none. */
  sandbox(name?: string): StandinSandbox<D>;
  close(): Promise<void>;
}

/**
 * Serves data on a free port, for programs and tests.
 *
 * @example
 * await using api = await createStandin({ data: { products: [{ id: 1, name: "Hat" }] } });
 * const product = await (await fetch(`${api.url}/products/1`)).json();
 * await api.db.products.update(1, { name: "Cap" });
 */
export async function createStandin<D extends object = JsonObject>(given: StandinOptions<D>): Promise<Standin<D>> {
  const { options, document } = await servedOptions(given);
  const service = await openService(options, startOf(given, "createStandin", document));
  const listening = await listenTo(service, { host: options.host, port: given.port ?? 0 }).catch(async (thrown) => {
    await abandonService(service);
    throw thrown;
  });
  const url = `${listening.url}${service.settings.base}`;
  announceAddress(service, url);
  const close = async (): Promise<void> => {
    await stopServing([service], listening, "program");
    await closeService(service);
  };
  return {
    ...createScope<D>(service, url, { seed: options.seed }),
    port: listening.port,
    sandbox: (name) => createSandboxScope<D>(service, url, { name, seed: options.seed }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function listenTo(service: Service, { host, port }: { host: string; port: number }): Promise<Listening> {
  const messages = service.steps.some(({ kind }) => kind === "interceptor") ? createMessages() : undefined;
  return listen(await createHandler(service), { host, port, messages });
}

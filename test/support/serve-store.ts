import { openService, type ServiceStart } from "../../src/app/open-service.ts";
import { silentReporter } from "../../src/base/reporter.ts";
import { withDefaults } from "../../src/config/defaults.ts";
import { SERVE_OPTIONS, type ServeOptions } from "../../src/config/options.ts";
import type { Service } from "../../src/http/contract.ts";
import { createHandler } from "../../src/http/node/handler.ts";
import { listen } from "../../src/http/node/server.ts";
import type { Store } from "../../src/store/store.ts";

export interface ServedStore {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** The whole service over a store that is open already; `more` replaces parts of it. */
export async function serveStore(
  store: Store,
  options: Partial<ServeOptions> = {},
  more: Partial<Service> = {},
): Promise<ServedStore> {
  const opened = await openServiceOver(store, options);
  const service = { ...opened, ...more };
  const { url, port, close } = await listen(await createHandler(service), { host: "127.0.0.1", port: 0 });
  return {
    url,
    port,
    close: async () => {
      for (const feature of service.features) feature.stop?.();
      await close();
      for (const feature of service.features) await feature.close?.();
    },
  };
}

export function openServiceOver(
  store: Store,
  options: Partial<ServeOptions> = {},
  start: Partial<ServiceStart> = {},
): Promise<Service> {
  const source = store.hasOtherWriters ? "postgres://localhost/shared" : "db.json";
  return openService(withDefaults(SERVE_OPTIONS, { source, ...options }), {
    reporter: silentReporter,
    place: "standin.json",
    openData: () => store,
    ...start,
  });
}

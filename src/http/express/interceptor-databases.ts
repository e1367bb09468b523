import { StandinError } from "../../base/errors.ts";
import type { Store } from "../../store/store.ts";
import type { Call } from "../call.ts";
import { createStoreChooser, type Service } from "../contract.ts";
import { LiveView } from "./lowdb/live-view.ts";
import { createLowdb, type Lowdb } from "./lowdb/lowdb.ts";

/** The databases that interceptors find in `req.app.db`, each made when it is first touched. */
export interface InterceptorDatabases {
  /** The one of the sandbox that the request names, else the one that all requests share. */
  of(call?: Call): Lowdb;
  /** Commits changes that interceptors made without writing them; undefined where there is nothing to wait for. */
  adopt(call: Call): Promise<unknown> | undefined;
}

export function createDatabases(service: Service): InterceptorDatabases {
  const opened = new WeakMap<Store, { readonly view: LiveView; readonly db: Lowdb }>();
  let isUsed = false;
  const chooseStore = createStoreChooser(service);
  const storeOf = (call: Call | undefined): Store => (call && chooseStore(call)) ?? service.store;
  return {
    of(call) {
      const store = storeOf(call);
      let found = opened.get(store);
      if (found) return found.db;
      if (!store.atHand) {
        throw new StandinError(
          "INTERCEPTOR_FAILED",
          `req.app.db needs the data in memory, and here it is in ${store.place}. Send requests to the server instead.`,
        );
      }
      const view = new LiveView(store.atHand);
      // lowdb gives promises for files, and results at once for everything else.
      const isAsync = service.store.isFromFile === true;
      found = { view, db: createLowdb({ view, idKey: store.defaultIdKey, isAsync, reload: () => store.reload() }) };
      opened.set(store, found);
      isUsed = true;
      return found.db;
    },
    adopt: (call) => (isUsed ? opened.get(storeOf(call))?.view.adopt() : undefined),
  };
}

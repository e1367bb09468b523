import { StandinError } from "../../base/errors.ts";

interface LockManager {
  request(
    name: string,
    options: { readonly ifAvailable: true },
    work: (lock: object | null) => Promise<void>,
  ): Promise<void>;
}

const platform = globalThis as { ServiceWorkerGlobalScope?: unknown; navigator?: { locks?: LockManager } };

/**
 * Keeps other pages from the data of a name, for they would not hear of each other's changes. A service worker serves all
 * pages, and needs no lock. Returns a function that gives the name back.
 */
export async function holdName(name: string): Promise<() => void> {
  const locks = platform.navigator?.locks;
  if (platform.ServiceWorkerGlobalScope || !locks) return () => {};
  return new Promise((resolve, reject) => {
    const hold = (lock: object | null): Promise<void> =>
      new Promise((release) => {
        if (lock) return resolve(release);
        reject(inUse(name));
        release();
      });
    locks.request(`standin:${name}`, { ifAvailable: true }, hold).catch(reject);
  });
}

function inUse(name: string): StandinError {
  return new StandinError(
    "STORE_IN_USE",
    `Another tab has the data of "${name}". Close it, or let a service worker serve all tabs (serve of standin/worker).`,
  );
}

/** Serves the data beside this file. */
export function serveDemo(serve, { data, ...settings }) {
  serve({
    ...settings,
    persist: "indexeddb",
    // Pages of one host share its databases.
    name: self.registration.scope,
    // The hash of the data is in its address, so that no other version can be in the cache.
    data: () => fetch(new URL(data, self.location), { cache: "force-cache" }),
    dataVersion: data,
  });
}

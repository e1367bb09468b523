/** Serves the data beside this file. The files of the console lie below the base, but come from the network. */
export function serveDemo(serve, { data, ...settings }) {
  const pages = new URL(`.${settings.base}/__console/`, self.location).href;
  self.addEventListener("fetch", (event) => {
    if (`${event.request.url.split(/[?#]/)[0]}/`.startsWith(pages)) event.stopImmediatePropagation();
  });
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

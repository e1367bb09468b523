/** Serves the data beside this file. The files of the console lie below the base, but come from the network. */
export function serveDemo(serve, { data, ...settings }) {
  const pages = new URL(`.${settings.base}/__console/`, self.location).href;
  self.addEventListener("fetch", (event) => {
    if (`${event.request.url.split(/[?#]/)[0]}/`.startsWith(pages)) event.stopImmediatePropagation();
  });
  // Pages of one host share its databases.
  serve({ ...settings, persist: "indexeddb", name: self.registration.scope, data: () => load(data) });
}

async function load(file) {
  // The hash of the data is in its address, so that no other version can be in the cache.
  const response = await fetch(new URL(file, self.location), { cache: "force-cache" });
  if (!response.ok) throw new Error(`${response.url} responds ${response.status}, so there is no data.`);
  return response.json();
}

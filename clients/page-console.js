/** The files of the console lie below the base, but come from the network. */
export function leaveConsole(base) {
  const pages = new URL(`.${base}/__console/`, self.location).href;
  self.addEventListener("fetch", (event) => {
    if (`${event.request.url.split(/[?#]/)[0]}/`.startsWith(pages)) event.stopImmediatePropagation();
  });
}

import { productList } from "./components.js";
import { start, url } from "./standin.js";

/** Each story has a sandbox of its own, so that none sees what was done in another. */
const STORIES = {
  "Some products": () => {},
  "No products": async ({ send }) => {
    for (const { id } of await (await send("GET", "/products")).json()) await send("DELETE", `/products/${id}`);
  },
  "A broken server": async ({ send }) => {
    await send("POST", "/__faults", { fault: "status", status: 503, path: "/products", count: 1 });
  },
};

await start();
document.querySelector("nav").append(
  ...Object.keys(STORIES).map((name) => {
    const hash = `#${encodeURIComponent(name)}`;
    return Object.assign(document.createElement("a"), { href: hash, textContent: name });
  }),
);
addEventListener("hashchange", () => void show());
await show();

async function show() {
  const name = decodeURIComponent(location.hash.slice(1)) || "Some products";
  const headers = { "X-Standin-Sandbox": name.toLowerCase().replaceAll(" ", "-") };
  const send = (method, path, body) =>
    fetch(url + path, {
      method,
      headers: { ...headers, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  // The sandbox of an earlier visit goes, with its faults.
  await fetch(`${url}/__sandboxes/${headers["X-Standin-Sandbox"]}`, { method: "DELETE" });
  await STORIES[name]({ send });
  document.querySelector("main").replaceChildren(await productList(url, headers));
}

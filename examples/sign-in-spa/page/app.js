import { api, manager } from "./manager.js";

const element = (id) => document.getElementById(id);

async function show(user) {
  const isIn = Boolean(user && !user.expired);
  element("sign-in").hidden = isIn;
  element("renew").hidden = !isIn;
  element("sign-out").hidden = !isIn;
  element("who").textContent = isIn ? `You are ${user.profile.email}.` : "You are not signed in.";
  const orders = isIn ? await ordersOf(user) : [];
  element("orders").replaceChildren(
    ...orders.map(({ item }) => Object.assign(document.createElement("li"), { textContent: item })),
  );
}

async function ordersOf({ access_token }) {
  const response = await fetch(`${api}/orders`, { headers: { Authorization: `Bearer ${access_token}` } });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

element("sign-in").addEventListener("click", () => manager.signinRedirect());
element("renew").addEventListener("click", async () => {
  const user = await manager.signinSilent();
  element("who").textContent = `You are ${user.profile.email}, renewed.`;
});
element("sign-out").addEventListener("click", () => manager.signoutRedirect());

const isBack = new URLSearchParams(location.search).has("code");
const user = isBack ? await manager.signinCallback() : await manager.getUser();
if (isBack) history.replaceState({}, "", "/");
await show(user);

const { UserManager, WebStorageStateStore } = globalThis.oidc;

/** Where the API is; `?api=...` names another place, for as long as the tab is open. */
const given = new URLSearchParams(location.search).get("api");
if (given) sessionStorage.setItem("api", given);
export const api = sessionStorage.getItem("api") ?? "http://localhost:3000";

const here = location.origin;

export const manager = new UserManager({
  authority: `${api}/__oidc`,
  client_id: "shop-web",
  redirect_uri: `${here}/`,
  post_logout_redirect_uri: `${here}/`,
  silent_redirect_uri: `${here}/silent.html`,
  scope: "openid",
  automaticSilentRenew: true,
  userStore: new WebStorageStateStore({ store: sessionStorage }),
});

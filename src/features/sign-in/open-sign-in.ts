import type { Clocks } from "../../base/clocks.ts";
import { StartError } from "../../base/errors.ts";
import { Call } from "../../http/call.ts";
import type { Handler, OpenFeature, PathParts, RouteRow, Service } from "../../http/contract.ts";
import { isLocal } from "../../http/is-local.ts";
import type { Reply } from "../../http/response/reply.ts";
import type { SignInGate } from "../../layers/layer.ts";
import { tokenRefused, tokenRequired } from "../../layers/sign-in.ts";
import { layoutOf } from "../../store/open-store.ts";
import { Seal } from "../../store/sealed/seal.ts";
import { sealedStore } from "../../store/sealed/sealed-store.ts";
import type { Store } from "../../store/store.ts";
import type { FeatureContext } from "../feature.ts";
import { authorize } from "./authorize.ts";
import { discovery } from "./discovery.ts";
import { Issuer, type IssuerView } from "./issuer.ts";
import { KeyFile } from "./key-file.ts";
import { readTokenRequest, tokenFor } from "./local-tokens.ts";
import { createPasswordCheck } from "./login-check.ts";
import { logout } from "./logout.ts";
import { asOAuth, OAuthError, oauthReply, privateReply } from "./oauth-error.ts";
import { SharedKeys } from "./shared-keys.ts";
import { warnOfSharedNames } from "./shared-names.ts";
import { type KeyPlace, SigningKeys } from "./signing-keys.ts";
import { respondWithTokens } from "./token-endpoint.ts";
import { introspect, revoke, userinfo } from "./token-facts.ts";
import type { SignInOffer } from "./types.ts";
import { AccessTokens, expectUnended, userGone } from "./verify-access-token.ts";

const METADATA = "/.well-known/oauth-authorization-server";

/** Opens the issuer, and lets the layer ask it. */
export async function openSignIn(
  { service, source, note }: FeatureContext<unknown>,
  gate: SignInGate,
): Promise<OpenFeature & { offer: SignInOffer }> {
  const { options } = gate;
  if (service.store.kindOf(options.users) !== "collection") {
    throw new StartError(`layers.sign-in.users: there is no collection ${JSON.stringify(options.users)} in the data.`);
  }
  const keys = await SigningKeys.open(options.algorithm, keyPlaceFor(service.store, source));
  const issuer = new Issuer(service, options, keys);
  await issuer.realmOf(service.store).revoked.load();
  const tokens = new AccessTokens();
  gate.admit = createAdmission(issuer, tokens, service.clocks);
  note("sign-in is for development and tests: it is not safe for production");
  if (service.clocks.main.kind !== "real")
    note("the clock is not the real one: clients judge tokens by their own time");
  warnOfSharedNames(service, options);
  return {
    name: "sign-in",
    routes: issuerRoutes(issuer, tokens),
    entrance: { isOutside: true, prefix: `${METADATA}/`, headers: [], enter: enterMetadata },
    ...(options.password !== undefined && { viewFor: createSealing(new Seal(options.users, options.password)) }),
    unshownFields: (collection) => (collection === options.users ? [options.password ?? []].flat() : []),
    announce: (address) => issuer.announce(address),
    renderError: (call, error) => (call.target.path.startsWith("/__oidc/") ? asOAuth(error) : undefined),
    describe: async (facts) => (await import("./openapi.ts")).signInPaths(facts),
    offer: {
      async tokenFor({ store }, name, { sandbox, ...wanted }) {
        return tokenFor(issuer.viewOf(store, sandbox), name, wanted);
      },
    },
  };
}

/** Beside data in files or a database; keys for data that is only in memory are new with each start. */
function keyPlaceFor({ secrets }: Store, source: string | undefined): KeyPlace | undefined {
  if (secrets) return new SharedKeys(secrets);
  return source !== undefined && layoutOf(source) ? new KeyFile(source) : undefined;
}

/** RFC 8414 puts its word in front of the path of an issuer, also in front of a base and a sandbox. */
function enterMetadata(call: Call): void {
  const { path, search } = call.client;
  const issuerPath = path.slice(METADATA.length);
  if (!issuerPath.endsWith("/__oidc")) return;
  call.client = { path: `${issuerPath}${METADATA}`, search };
  call.target = call.client;
}

/** Hides passwords from every route. Hot path: one view for each service and store. */
function createSealing(seal: Seal): NonNullable<OpenFeature["viewFor"]> {
  const services = new WeakMap<Service, Service>();
  const stores = new WeakMap<Store, Store>();
  return (_call, service) => {
    const known = services.get(service);
    if (known) return known;
    const store = stores.get(service.store) ?? sealedStore(service.store, seal);
    stores.set(service.store, store);
    const view = { ...service, store };
    services.set(service, view);
    return view;
  };
}

function createAdmission(issuer: Issuer, tokens: AccessTokens, clocks: Clocks): SignInGate["admit"] {
  return async (req) => {
    const [, token] = /^Bearer +(.+)$/i.exec(req.headers.authorization ?? "") ?? [];
    if (token === undefined || !(req instanceof Call)) throw tokenRequired();
    const view = issuer.viewFor(req);
    const { user, name, payload } = await tokens.verify(token, view);
    req.user = user;
    req.credentialName = name;
    // Asked at any time, so the clock must be that of the request's data.
    const { realm } = view;
    const { load } = realm;
    const rights = realm.rightsOf(user.id);
    req.expectAdmitted = () => {
      if (realm.load !== load) throw userGone();
      expectUnended(payload, realm, clocks.of(req.sandbox).now() / 1000);
      if (realm.rightsOf(user.id) !== rights) {
        throw tokenRefused("The rights of the token's user have changed since. Repeat the request.");
      }
    };
  };
}

type IssuerRespond = (call: Call, view: IssuerView) => Reply | Promise<Reply>;

/** Programs and pages of any origin may use most of them, as they may the data; those that give tokens away keep our guards. */
function issuerRoutes(issuer: Issuer, tokens: AccessTokens): RouteRow[] {
  const checkLogin = createPasswordCheck(issuer);
  const by =
    (respond: IssuerRespond, isLocalOnly = false): Handler<PathParts> =>
    async (call, service) => {
      try {
        if (isLocalOnly) refuseRemote(call, service);
        return await respond(call, issuer.viewFor(call));
      } catch (thrown) {
        if (thrown instanceof OAuthError) return oauthReply(thrown, call);
        throw thrown;
      }
    };
  const open = { isForAnyPage: true, harmless: ["POST"] } as const;
  const describe = { ...open, GET: by(discovery) };
  const info = by((call, view) => userinfo(call, view, tokens));
  const visit = by(forNavigation((call, view) => authorize(call, view, checkLogin)));
  const leave = by(forNavigation(logout));
  return [
    { path: "/__oidc/.well-known/openid-configuration", ...describe },
    { path: "/__oidc/.well-known/oauth-authorization-server", ...describe },
    { path: `${METADATA}/__oidc`, ...describe },
    { path: "/__oidc/jwks", ...open, GET: by(listKeys) },
    { path: "/__oidc/authorize", ...open, GET: visit, POST: visit },
    { path: "/__oidc/token", ...open, POST: by((call, view) => respondWithTokens(call, view, checkLogin)) },
    { path: "/__oidc/userinfo", ...open, GET: info, POST: info },
    { path: "/__oidc/revoke", ...open, POST: by((call, view) => revoke(call, view, tokens)) },
    { path: "/__oidc/logout", ...open, GET: leave, POST: leave },
    { path: "/__oidc/introspect", harmless: ["POST"], POST: by((call, view) => introspect(call, view, tokens)) },
    { path: "/__oidc/tokens", harmless: ["POST"], GET: by(listUsers, true), POST: by(makeToken, true) },
    { path: "/__oidc/keys", harmless: ["POST"], POST: by(rotateKeys, true) },
  ];
}

/** Browsers may go there from any page, but no script of another origin may read the response, which may have a code. */
function forNavigation(respond: IssuerRespond): IssuerRespond {
  return async (call, view) => {
    const reply = await respond(call, view);
    return { ...reply, headers: { ...reply.headers, "Access-Control-Allow-Origin": call.origin } };
  };
}

async function listKeys(_call: Call, { keys }: IssuerView): Promise<Reply> {
  return { status: 200, json: JSON.stringify(await keys.jwks()) };
}

/** The users that tokens can be made for. */
async function listUsers({ target }: Call, { realm }: IssuerView): Promise<Reply> {
  const { users, total } = await realm.users.list(new URLSearchParams(target.search).get("search") ?? "");
  return privateReply({ users: users.map(({ name, roles }) => ({ name, roles })), total });
}

async function makeToken(call: Call, view: IssuerView): Promise<Reply> {
  const { user, options } = readTokenRequest(await call.body());
  const token = await tokenFor(view, user, options);
  const seconds = options.expiresIn ?? view.options.accessSeconds;
  return privateReply({ access_token: token, token_type: "Bearer", expires_in: seconds }, 201);
}

async function rotateKeys(_call: Call, { keys }: IssuerView): Promise<Reply> {
  return privateReply({ kid: await keys.rotate() }, 201);
}

function refuseRemote(call: Call, { settings }: Service): void {
  if (isLocal(call, settings)) return;
  throw new OAuthError(
    "access_denied",
    `Tokens and keys are made for this machine only, not for ${call.address}. Set STANDIN_ADMIN_TOKEN where standin ` +
      "starts, and send it as Authorization: Bearer <token>.",
  );
}

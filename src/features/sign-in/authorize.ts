import type { Call } from "../../http/call.ts";
import type { Reply } from "../../http/response/reply.ts";
import type { SignInClient } from "../../layers/sign-in-options.ts";
import { findClient, type IssuerView } from "./issuer.ts";
import type { LoginCheck } from "./login-check.ts";
import { OAuthError } from "./oauth-error.ts";
import { keepEntry, randomName, type Session, type Subject } from "./realm.ts";
import { isListedAddress } from "./redirect-address.ts";
import { sendBack } from "./send-back.ts";
import { browserSession, endedCookie, sessionCookie } from "./session-cookie.ts";
import type { IssuedUser } from "./sign-in-users.ts";
import { errorPage, type PageState, whoAreYou } from "./who-are-you.ts";

/** RFC 6749 recommends ten minutes at most; a browser needs seconds. */
const CODE_SECONDS = 60;
export const SCOPES = ["openid", "profile", "email", "offline_access"];
export const PROMPTS = ["none", "login", "select_account", "consent"];
export const RESPONSE_MODES = ["query", "fragment", "form_post"] as const;

/** A request for a code whose client and address are known to be right: refusals may be sent there. */
interface AuthorizeRequest {
  readonly call: Call;
  readonly view: IssuerView;
  readonly client: SignInClient;
  readonly given: URLSearchParams;
  readonly redirectUri: string;
}

/** `/__oidc/authorize`: signs a user in, by session, by hint or by the page, and sends a code back. */
export async function authorize(call: Call, view: IssuerView, checkLogin: LoginCheck): Promise<Reply> {
  const given = new URLSearchParams(call.method === "POST" ? await call.bodyText() : call.target.search);
  let request: AuthorizeRequest;
  try {
    request = expectAddress(call, view, given);
  } catch (thrown) {
    // Nothing is sent to an address that is not listed, not even a refusal.
    if (thrown instanceof OAuthError) return errorPage(thrown.message);
    throw thrown;
  }
  try {
    expectCodeRequest(request);
    return await signInBy(request, checkLogin);
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown;
    return back(request, { error: thrown.code, error_description: thrown.message });
  }
}

function expectAddress(call: Call, view: IssuerView, given: URLSearchParams): AuthorizeRequest {
  const client = findClient(view.options, given.get("client_id"));
  const redirectUri = given.get("redirect_uri") ?? "";
  if (isListedAddress(redirectUri, client.redirectUris)) return { call, view, client, given, redirectUri };
  const listed = client.redirectUris.join(", ") || "none";
  throw new OAuthError(
    "invalid_request",
    `redirect_uri ${JSON.stringify(redirectUri)} is not listed for the client ${client.id}. Listed: ${listed}.`,
  );
}

function expectCodeRequest({ client, given }: AuthorizeRequest): void {
  const repeated = [...given.keys()].find((name) => given.getAll(name).length > 1);
  if (repeated !== undefined) throw invalid(`${repeated} is given twice.`);
  if (given.has("request") || given.has("request_uri")) throw invalid("Request objects are not supported.");
  if (given.get("response_type") !== "code") {
    throw new OAuthError("unsupported_response_type", 'response_type must be "code".');
  }
  const mode = given.get("response_mode");
  if (mode !== null && !RESPONSE_MODES.some((one) => one === mode)) {
    throw invalid(`response_mode must be one of ${RESPONSE_MODES.join(", ")}.`);
  }
  const challenge = given.get("code_challenge");
  if (challenge === null && client.secret === undefined) {
    throw invalid(`The client ${client.id} has no secret, so it needs PKCE: send code_challenge (S256).`);
  }
  if (challenge !== null && (given.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge))) {
    throw invalid("code_challenge must be a SHA-256 in base64url, with code_challenge_method=S256.");
  }
  const prompts = promptsOf(given);
  const unknown = prompts.find((prompt) => !PROMPTS.includes(prompt));
  if (unknown !== undefined || (prompts.includes("none") && prompts.length > 1)) {
    throw invalid(`prompt must be of ${PROMPTS.join(", ")}, "none" alone.`);
  }
  if (given.has("max_age") && !/^\d{1,9}$/.test(given.get("max_age") ?? "")) throw invalid("max_age must be seconds.");
}

async function signInBy(request: AuthorizeRequest, checkLogin: LoginCheck): Promise<Reply> {
  const { call, view, given } = request;
  const prompts = promptsOf(given);
  const chosen = call.method === "POST" ? given.get("user") : null;
  if (chosen !== null && !prompts.includes("none")) return signInChosen(request, chosen, checkLogin);
  const session = await currentSession(request);
  if (session && !prompts.includes("login") && !prompts.includes("select_account")) return sendCode(request, session);
  if (prompts.includes("none")) throw new OAuthError("login_required", "No user is signed in here, or not recently.");
  const hint = given.get("login_hint") ?? "";
  const hinted = prompts.length === 0 ? await view.realm.users.byName(hint) : undefined;
  if (hinted && (hinted.password === undefined || view.options.trustHints)) return beginSession(request, hinted);
  return page(request, { search: given.get("search") ?? "", chosen: hint });
}

/** The session in this browser, unless it is too old, or of another user than the one asked for. */
async function currentSession({ call, view, given }: AuthorizeRequest): Promise<Session | undefined> {
  const { realm, now } = view;
  const found = browserSession(call, view);
  const user = found && (await realm.find(found.session));
  if (!found || !user) return undefined;
  const maxAge = given.get("max_age");
  if (maxAge !== null && now - found.session.authTime > Number(maxAge)) return undefined;
  const hint = given.get("login_hint");
  return hint === null || hint === user.name ? found.session : undefined;
}

async function signInChosen(request: AuthorizeRequest, name: string, checkLogin: LoginCheck): Promise<Reply> {
  const { call, view, given } = request;
  const user = await view.realm.users.byName(name);
  if (user && (await checkLogin(call, user, given.get("password") ?? ""))) return beginSession(request, user);
  const problem = user
    ? given.get("password")
      ? "The password is wrong."
      : `${name} has a password. Enter it.`
    : `There is no user ${name}.`;
  return page(request, { search: "", chosen: name, problem });
}

function beginSession(request: AuthorizeRequest, user: IssuedUser): Promise<Reply> | Reply {
  const { realm, now, options } = request.view;
  const id = randomName();
  const session: Session = { ...realm.subjectOf(user), authTime: now, endsAt: now + options.refreshSeconds };
  keepEntry(realm.sessions, id, session);
  return sendCode(request, session, id);
}

function sendCode(request: AuthorizeRequest, session: Session, newId?: string): Reply {
  const { call, view, client, given, redirectUri } = request;
  const code = randomName();
  const subject: Subject = { id: session.id, born: session.born };
  keepEntry(view.realm.codes, code, {
    clientId: client.id,
    subject,
    scope: (given.get("scope") ?? "")
      .split(/\s+/)
      .filter((one) => SCOPES.includes(one))
      .join(" "),
    authTime: session.authTime,
    nonce: given.get("nonce") ?? undefined,
    session: newId ?? browserSession(call, view)?.id,
    family: randomName(),
    endsAt: view.now + CODE_SECONDS,
    isUsed: false,
    redirectUri,
    challenge: given.get("code_challenge") ?? undefined,
  });
  const reply = back(request, { code });
  return newId === undefined
    ? reply
    : { ...reply, headers: { ...reply.headers, "Set-Cookie": sessionCookie(call, newId) } };
}

/** `state` as it came, and `iss` against mix-ups (RFC 9207). */
function back({ view, given, redirectUri }: AuthorizeRequest, answer: Readonly<Record<string, string>>): Reply {
  const state = given.get("state");
  const mode = RESPONSE_MODES.find((one) => one === given.get("response_mode")) ?? "query";
  return sendBack(redirectUri, mode, { ...answer, ...(state !== null && { state }), iss: view.issuer });
}

async function page({ call, view, client, given }: AuthorizeRequest, state: PageState): Promise<Reply> {
  const { users, total } = await view.realm.users.list(state.search);
  const kept = [...given].filter(([name]) => !["user", "password", "search"].includes(name));
  const shown = whoAreYou({ users, total, state, client: client.id, kept, action: `${call.prefix}/__oidc/authorize` });
  return browserSession(call, view)
    ? shown
    : { ...shown, headers: { ...shown.headers, "Set-Cookie": endedCookie(call) } };
}

function promptsOf(given: URLSearchParams): string[] {
  return (given.get("prompt") ?? "").split(/\s+/).filter(Boolean);
}

function invalid(description: string): OAuthError {
  return new OAuthError("invalid_request", description);
}

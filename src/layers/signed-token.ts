import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { StandinError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { randomBytes } from "../base/platform/crypto.ts";
import { checkCredentialAsync } from "./check-credential.ts";
import type { Layer, LayerDefinition, LayerRequest, LayerResponse, LayerTools } from "./layer.ts";
import { kindOfPassword, type PasswordKind, passwordProblem, verifyPassword } from "./password.ts";
import type { LayerSettings } from "./settings.ts";
import { createLoginCheck } from "./wrong-logins.ts";

const ALGORITHM = "HS256";
const MIN_SECRET_BYTES = 32;
const SCHEME = "Bearer ";
const LOGIN = "/login";
/** The default: more than tests need in a minute, and too few to guess a password. */
const MAX_WRONG_LOGINS = 50;
const PUBLIC_METHODS = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

export interface TokenUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

export interface SignedTokenOptions {
  readonly secret: Uint8Array;
  readonly users: readonly TokenUser[];
  readonly expiresInSeconds: number;
  /** Of one address in a minute; 0 for no limit. */
  readonly maxWrongLogins: number;
}

const ADVICE = ', or change "maxWrongLogins" of the layer signed-token';

/** `POST /login` issues a signed token; every request except reads needs one. */
export function signedToken(options: SignedTokenOptions, tools: LayerTools): Layer {
  const authenticate = createAuthenticator(options.users);
  const verify = createVerifier(options, tools);
  const checkLogin = createLoginCheck(options.maxWrongLogins, tools, ADVICE);

  return async function signedToken(req, res, next) {
    if (req.method === "OPTIONS" || !isLogin(req.url)) {
      if (!PUBLIC_METHODS.has(req.method)) req.user = await verify(req, res);
      return next();
    }
    if (req.method !== "POST") throw onlyPost(req.method);
    const { email, password } = readCredentials(await req.body());
    const user = await checkCredentialAsync(req, res, () => checkLogin(req, res, () => authenticate(email, password)));
    const accessToken = await sign(user, options, tools.now());
    const json = JSON.stringify({
      accessToken,
      tokenType: "Bearer",
      expiresIn: options.expiresInSeconds,
      user: { id: user.id, email: user.email },
    });
    res.reply({ status: 200, json, headers: { "Cache-Control": "no-store" } });
  };
}

function sign(
  { id, email }: TokenUser,
  { secret, expiresInSeconds }: SignedTokenOptions,
  now: number,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ email })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
    .setSubject(id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + expiresInSeconds)
    .sign(secret);
}

type Verify = (req: LayerRequest, res: LayerResponse) => Promise<{ id: string; email: unknown }>;

/** Rejects requests without a token of a present user. */
function createVerifier({ secret, users }: SignedTokenOptions, tools: LayerTools): Verify {
  return async function verify(req, res) {
    const header = req.headers.authorization;
    if (!header?.startsWith(SCHEME)) {
      throw unauthorised(
        "TOKEN_REQUIRED",
        `Writing needs a token: POST ${LOGIN}, then send Authorization: Bearer <token>.`,
      );
    }
    let payload: JWTPayload;
    try {
      const options = { algorithms: [ALGORITHM], currentDate: new Date(tools.now()), requiredClaims: ["exp", "sub"] };
      ({ payload } = await jwtVerify(header.slice(SCHEME.length), secret, options));
    } catch (thrown) {
      if (thrown instanceof errors.JWTExpired)
        throw unauthorised("TOKEN_EXPIRED", `This token has expired; POST ${LOGIN} again.`);
      // Counted afterwards: a forged signature cannot be guessed, and good tokens may come many at a time.
      req.countGuess?.(req, res)(false);
      throw unauthorised(
        "TOKEN_INVALID",
        `This token was not issued here, or was changed; POST ${LOGIN} for a new one.`,
      );
    }
    const { sub, email } = payload;
    // Users without an id are numbered by their place in the list: a number may have passed on to another user.
    if (!users.some((user) => user.id === sub && user.email === email)) {
      throw unauthorised("TOKEN_INVALID", `This token's user no longer exists; POST ${LOGIN} for a new one.`);
    }
    return { id: sub as string, email };
  };
}

/** A collection of that name stays hidden behind the login. */
function onlyPost(method: string | undefined): StandinError {
  return new StandinError("METHOD_NOT_ALLOWED", `${LOGIN} does not support ${method}. Use POST.`, {
    Allow: "POST, OPTIONS",
  });
}

function unauthorised(
  code: "TOKEN_REQUIRED" | "TOKEN_EXPIRED" | "TOKEN_INVALID" | "LOGIN_FAILED",
  message: string,
): StandinError {
  return new StandinError(code, message, { "WWW-Authenticate": "Bearer" });
}

/** Reads the rewritten address as the routes do: decoded, one trailing slash, any case. */
function isLogin(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  try {
    return decodeURIComponent(path).replace(/\/$/, "").toLowerCase() === LOGIN;
  } catch {
    return false;
  }
}

function readCredentials(body: Json | undefined): { email: string; password: string } {
  const { email, password }: JsonObject = isJsonObject(body) ? body : {};
  if (typeof email === "string" && email !== "" && typeof password === "string" && password !== "")
    return { email, password };
  throw new StandinError("LOGIN_INCOMPLETE", 'Send a JSON object with the strings "email" and "password".');
}

/** An unknown email costs the same work as a wrong password, so that neither response nor time tells which it was. */
function createAuthenticator(users: readonly TokenUser[]) {
  const byEmail = new Map(users.map((user) => [user.email, user]));
  const decoys = new Map<PasswordKind, string>();
  for (const { password } of users) decoys.set(kindOfPassword(password), password);

  return async function authenticate(email: string, password: string): Promise<TokenUser> {
    const user = byEmail.get(email);
    const kind = user && kindOfPassword(user.password);
    let isRight = false;
    for (const [otherKind, decoy] of decoys) {
      if (user && kind === otherKind) isRight = await verifyPassword(password, user.password);
      else await verifyPassword(password, decoy);
    }
    if (user && isRight) return user;
    throw unauthorised("LOGIN_FAILED", "Email or password is wrong.");
  };
}

export function readSignedTokenOptions(settings: LayerSettings, tools: LayerTools): SignedTokenOptions {
  const isList = (value: Json): value is Json[] => Array.isArray(value) && value.length > 0;
  const list = settings.read("users", { allowed: "a list of { email, password }", isAllowed: isList });
  const users = list.map((entry, position) => readUser(entry, settings, position));
  if (new Set(users.map((user) => user.email)).size < users.length)
    throw settings.problem("users", "names an email twice.");
  return {
    users,
    secret: readSecret(settings, tools),
    expiresInSeconds: settings.integer("expiresInSeconds", { min: 1, max: 10 * 365 * 86_400, fallback: 3600 }),
    maxWrongLogins: settings.integer("maxWrongLogins", { min: 0, max: 1_000_000_000, fallback: MAX_WRONG_LOGINS }),
  };
}

function readUser(entry: Json, settings: LayerSettings, position: number): TokenUser {
  const place = `users[${position}]`;
  const { id = position + 1, email, password, ...others }: JsonObject = isJsonObject(entry) ? entry : {};
  if (typeof email !== "string" || email === "" || typeof password !== "string" || password === "") {
    throw settings.problem(place, "must have the strings email and password.");
  }
  settings.refuseOthers(others, place, []);
  if (typeof id !== "string" && typeof id !== "number")
    throw settings.problem(`${place}.id`, "must be a string or a number.");
  const problem = passwordProblem(password);
  if (problem) throw settings.problem(`${place}.password`, problem);
  return { id: String(id), email, password };
}

function readSecret(settings: LayerSettings, { warn, countTogether }: LayerTools): Uint8Array {
  const isText = (value: Json): value is string => typeof value === "string";
  const text = settings.read("secret", { allowed: "a string of at least 32 bytes", isAllowed: isText, fallback: "" });
  if (!settings.has("secret")) {
    if (countTogether) {
      throw settings.problem(
        "secret",
        "must be given: all processes on one database need the same. Generate one: standin secret token",
      );
    }
    warn("signed-token: no secret is set, so a random one is used; tokens end with this process.");
    return randomBytes(MIN_SECRET_BYTES);
  }
  const secret = new TextEncoder().encode(text);
  if (secret.length < MIN_SECRET_BYTES) {
    throw settings.problem(
      "secret",
      `needs at least ${MIN_SECRET_BYTES} bytes, but has ${secret.length}. Generate one: standin secret token`,
    );
  }
  return secret;
}

export const signedTokenLayer: LayerDefinition = {
  name: "signed-token",
  guards: "writes",
  scheme: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "From POST /login." },
  codes: ["TOKEN_REQUIRED", "TOKEN_EXPIRED", "TOKEN_INVALID"],
  reserves: ["login"],
  create: (settings, tools) => signedToken(readSignedTokenOptions(settings, tools), tools),
};

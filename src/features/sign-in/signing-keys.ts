import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from "jose";
import type { KeyFile } from "./key-file.ts";

type Algorithm = "RS256" | "ES256";

/** Tokens of older keys have ended long before, unless keys are rotated all the time. */
const MAX_KEYS = 5;
/** The parts of a private key; what is left is public (RFC 7518, 6.2.2 and 6.3.2). */
const PRIVATE_PARTS: ReadonlySet<string> = new Set(["d", "p", "q", "dp", "dq", "qi", "oth", "k"]);

/** The keys that sign tokens, the latest first; older ones still verify. */
export class SigningKeys {
  readonly algorithm: Algorithm;
  readonly #file: KeyFile | undefined;
  #keys: readonly JWK[];
  #verifier: ReturnType<typeof createLocalJWKSet>;

  private constructor(algorithm: Algorithm, file: KeyFile | undefined, keys: readonly JWK[]) {
    this.algorithm = algorithm;
    this.#file = file;
    this.#keys = keys;
    this.#verifier = createLocalJWKSet(this.jwks);
  }

  /** Reads the keys of an earlier start, or makes the first one. */
  static async open(algorithm: Algorithm, file: KeyFile | undefined): Promise<SigningKeys> {
    const keys = new SigningKeys(algorithm, file, file?.read() ?? []);
    if (keys.#keys[0]?.alg !== algorithm) await keys.rotate();
    return keys;
  }

  /** The public halves. */
  get jwks(): { keys: JWK[] } {
    const isPublic = ([part]: [string, unknown]): boolean => !PRIVATE_PARTS.has(part);
    return { keys: this.#keys.map((key) => Object.fromEntries(Object.entries(key).filter(isPublic))) };
  }

  /** Signs with a new key from now on; returns its id. */
  async rotate(): Promise<string> {
    const key = await createKey(this.algorithm);
    this.#keys = [key, ...this.#keys].slice(0, MAX_KEYS);
    this.#verifier = createLocalJWKSet(this.jwks);
    this.#file?.write(this.#keys);
    return key.kid ?? "";
  }

  sign(payload: JWTPayload, typ: "at+jwt" | "JWT"): Promise<string> {
    return signWith(this.#keys[0] ?? {}, payload, typ);
  }

  /** With a key that no client can find. */
  async signAsStranger(payload: JWTPayload, typ: "at+jwt" | "JWT"): Promise<string> {
    return signWith(await createKey(this.algorithm), payload, typ);
  }

  /** Accepts no other algorithm: neither none, nor an HMAC made with a public key. Throws an error of jose's. */
  async verify(token: string, options: Omit<JWTVerifyOptions, "algorithms">): Promise<JWTPayload> {
    const { payload } = await jwtVerify(token, this.#verifier, { ...options, algorithms: ["RS256", "ES256"] });
    return payload;
  }
}

async function createKey(algorithm: Algorithm): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, alg: algorithm, use: "sig", kid: await calculateJwkThumbprint(key) };
}

async function signWith(key: JWK, payload: JWTPayload, typ: string): Promise<string> {
  const { alg = "RS256", kid = "" } = key;
  return new SignJWT(payload).setProtectedHeader({ alg, typ, kid }).sign(await importJWK(key, alg));
}

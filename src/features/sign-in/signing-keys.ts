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
import type { Eventually } from "../../base/eventually.ts";

type Algorithm = "RS256" | "ES256";

/** Tokens of older keys have ended long before, unless keys are rotated all the time. */
const MAX_KEYS = 5;
/** The parts of a private key; what is left is public (RFC 7518, 6.2.2 and 6.3.2). */
const PRIVATE_PARTS: ReadonlySet<string> = new Set(["d", "p", "q", "dp", "dq", "qi", "oth", "k"]);

/** Makes the keys that are to be kept out of those that are; the latest first. */
export type MakeKeys = (keys: readonly JWK[]) => readonly JWK[];

/** Where keys outlive a process. */
export interface KeyPlace {
  /** Whether other processes change the keys, too. */
  readonly isShared: boolean;
  /** The latest first; none before the first start. */
  read(): Eventually<readonly JWK[]>;
  /** One process at a time; resolves to the keys that are kept then. */
  change(make: MakeKeys): Eventually<readonly JWK[]>;
}

/** The keys that sign tokens, the latest first; older ones still verify. */
export class SigningKeys {
  readonly algorithm: Algorithm;
  readonly #place: KeyPlace | undefined;
  #keys: readonly JWK[] = [];
  #verifier = createLocalJWKSet({ keys: [] });

  private constructor(algorithm: Algorithm, place: KeyPlace | undefined) {
    this.algorithm = algorithm;
    this.#place = place;
  }

  /** Reads the keys of an earlier start, or makes the first one. */
  static async open(algorithm: Algorithm, place: KeyPlace | undefined): Promise<SigningKeys> {
    const keys = new SigningKeys(algorithm, place);
    keys.#use((await place?.read()) ?? []);
    await keys.#expectOwn();
    return keys;
  }

  /** The public halves. */
  async jwks(): Promise<{ keys: JWK[] }> {
    await this.#refresh();
    return { keys: publicHalves(this.#keys) };
  }

  /** Signs with a new key from now on; returns its id. */
  async rotate(): Promise<string> {
    const key = await createKey(this.algorithm);
    await this.#change((keys) => [key, ...keys].slice(0, MAX_KEYS));
    return key.kid ?? "";
  }

  async sign(payload: JWTPayload, typ: "at+jwt" | "JWT"): Promise<string> {
    await this.#refresh();
    return signWith(this.#keys.find((key) => this.#isOwn(key)) ?? {}, payload, typ);
  }

  /** With a key that no client can find. */
  async signAsStranger(payload: JWTPayload, typ: "at+jwt" | "JWT"): Promise<string> {
    return signWith(await createKey(this.algorithm), payload, typ);
  }

  /** Accepts no other algorithm: neither none, nor an HMAC made with a public key. Throws an error of jose's. */
  async verify(token: string, options: Omit<JWTVerifyOptions, "algorithms">): Promise<JWTPayload> {
    await this.#refresh();
    const { payload } = await jwtVerify(token, this.#verifier, { ...options, algorithms: ["RS256", "ES256"] });
    return payload;
  }

  /** Another process may have made a key since. */
  async #refresh(): Promise<void> {
    if (!this.#place?.isShared) return;
    this.#use(await this.#place.read());
    await this.#expectOwn();
  }

  /** Makes a key if none is of the wanted algorithm, and no other process was faster. */
  async #expectOwn(): Promise<void> {
    if (this.#keys.some((key) => this.#isOwn(key))) return;
    const made = await createKey(this.algorithm);
    await this.#change((keys) => (keys.some((key) => this.#isOwn(key)) ? keys : [made, ...keys].slice(0, MAX_KEYS)));
  }

  async #change(make: MakeKeys): Promise<void> {
    this.#use(this.#place ? await this.#place.change(make) : make(this.#keys));
  }

  #use(keys: readonly JWK[]): void {
    this.#keys = keys;
    this.#verifier = createLocalJWKSet({ keys: publicHalves(keys) });
  }

  #isOwn({ alg }: JWK): boolean {
    return alg === this.algorithm;
  }
}

function publicHalves(keys: readonly JWK[]): JWK[] {
  const isPublic = ([part]: [string, unknown]): boolean => !PRIVATE_PARTS.has(part);
  return keys.map((key) => Object.fromEntries(Object.entries(key).filter(isPublic)));
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

import { Buffer } from "../base/platform/buffer.ts";
import { deriveKey, deriveKeyAtOnce, randomBytes, timingSafeEqual } from "../base/platform/crypto.ts";
import { digest, isSameSecret } from "./same-secret.ts";

/** Cost of a new hash: 16 MB and some tens of milliseconds. */
const COST = { N: 16_384, r: 8, p: 1 };
const QUICK_COST = { N: 1024, r: 8, p: 1 };
const KEY_BYTES = 32;
const SCRYPT = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w+/=-]+)\$([\w+/=-]+)$/;
const BCRYPT = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/;
/** The start of a hash; no plain password begins so by chance. */
const LIKE_A_HASH = /^(scrypt\$|\$2[a-z]?\$)/;
/** Beyond these a single login would take gigabytes or minutes. */
const MAX_SCRYPT = { N: 2 ** 20, r: 32, p: 16 };

export type PasswordKind = "scrypt" | "bcrypt" | "plain";

export function kindOfPassword(stored: string): PasswordKind {
  if (SCRYPT.test(stored)) return "scrypt";
  return BCRYPT.test(stored) ? "bcrypt" : "plain";
}

/** Why a stored password cannot be meant, if it cannot: a damaged hash must not become a plain password. */
export function passwordProblem(stored: string): string | undefined {
  const [, n, r, p, , key = ""] = SCRYPT.exec(stored) ?? [];
  if (n === undefined) {
    const isDamaged = kindOfPassword(stored) === "plain" && LIKE_A_HASH.test(stored);
    return isDamaged ? "begins like a hash, but is none that can be read (standin secret password)." : undefined;
  }
  const isPowerOfTwo = Number(n) > 1 && Number.isInteger(Math.log2(Number(n)));
  const isBounded = Number(n) <= MAX_SCRYPT.N && Number(r) <= MAX_SCRYPT.r && Number(p) <= MAX_SCRYPT.p;
  const isComplete = Number(r) > 0 && Number(p) > 0 && Buffer.from(key, "base64").length === KEY_BYTES;
  if (isPowerOfTwo && isBounded && isComplete) return undefined;
  return "is a scrypt hash that cannot be used (standin secret password makes one that can).";
}

/** A hash that `verifyPassword` understands: `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return `scrypt$${COST.N}$${COST.r}$${COST.p}$${salt.toString("base64")}$${key.toString("base64")}`;
}

/** The same at once, for a write that cannot wait, and cheaper: two milliseconds in which no other request is served. */
export function hashPasswordAtOnce(password: string): string {
  const salt = randomBytes(16);
  const { N, r, p } = QUICK_COST;
  const key = deriveKeyAtOnce(password, salt, KEY_BYTES, QUICK_COST);
  return `scrypt$${N}$${r}$${p}$${salt.toString("base64")}$${key.toString("base64")}`;
}

/** Whether a password is the one that was stored: hashed by us, hashed by json-server-auth (bcrypt), or in plain text. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  switch (kindOfPassword(stored)) {
    case "plain":
      return isSameSecret(digest(password), digest(stored));
    case "bcrypt":
      return compareByBcrypt(password, stored);
    case "scrypt": {
      const [, n, r, p, salt = "", key = ""] = SCRYPT.exec(stored) ?? [];
      const expected = Buffer.from(key, "base64");
      const derived = await derive(password, Buffer.from(salt, "base64"), {
        N: Number(n),
        r: Number(r),
        p: Number(p),
      });
      return expected.length === derived.length && timingSafeEqual(derived, expected);
    }
  }
}

/** Loads the library only for hashes of that kind. */
async function compareByBcrypt(password: string, stored: string): Promise<boolean> {
  const { compareInWorker } = await import("./bcrypt-worker.ts");
  try {
    return await compareInWorker(password, stored);
  } catch {
    // Node may run without the permission to start threads.
    return (await import("bcryptjs")).compare(password, stored);
  }
}

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  return deriveKey(password, salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r });
}

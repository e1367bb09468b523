import { StandinError } from "../base/errors.ts";
import { checkCredential } from "../layers/check-credential.ts";
import type { Layer, LayerRequest } from "../layers/layer.ts";
import { type Digest, digest, isSameSecret } from "../layers/same-secret.ts";

/** The keys that open a private mock, ready for comparison. */
export type Keys = readonly Digest[];

export function readyKeys(keys: readonly string[]): Keys {
  return keys.map(digest);
}

/** Guards private mocks: `X-Api-Key` must hold one of the keys of the requested one. An empty header counts as none. */
export function privateGuard(keysFor: (req: LayerRequest) => Keys | undefined, warn: (text: string) => void): Layer {
  return function privateGuard(req, res, next) {
    const keys = keysFor(req);
    if (keys) {
      const key = sentKey(req.headers["x-api-key"]);
      checkCredential(req, res, () => {
        if (isKnownKey(keys, key)) return;
        const start = key.slice(0, Math.min(5, key.length / 2));
        warn(`private: an unknown key was refused; it begins with ${printable(start)}`);
        throw unknownKey();
      });
    }
    next();
  };
}

/** Throws like the guard, for a request that was sent on to another mock behind it. */
export function expectKey(keys: Keys, header: string | string[] | undefined): void {
  if (!isKnownKey(keys, sentKey(header))) throw unknownKey();
}

/** Every key is looked at, found or not, so that the time tells nothing. */
export function isKnownKey(keys: Keys, text: string): boolean {
  const asked = digest(text);
  let isKnown = false;
  for (const key of keys) if (isSameSecret(asked, key)) isKnown = true;
  return isKnown;
}

function sentKey(header: string | string[] | undefined): string {
  if (header !== undefined && header !== "") return String(header);
  throw new StandinError("API_KEY_MISSING", "This mock is private: send an API key in the header X-Api-Key.");
}

function unknownKey(): StandinError {
  return new StandinError("API_KEY_INVALID", "This API key is unknown.");
}

/** Only plain ASCII reaches the terminal: other bytes could be commands to it. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}

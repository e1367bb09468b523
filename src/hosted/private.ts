import { StandinError } from "../errors.ts";
import { judgeCredential } from "../layers/judge-credential.ts";
import type { Layer } from "../layers/layer.ts";
import { digest, isSameSecret } from "../layers/same-secret.ts";

/** Guards a private mock: `X-Api-Key` must hold one of the keys. An empty header counts as none. */
export function privateGuard(keys: readonly string[], warn: (text: string) => void): Layer {
  const known = keys.map(digest);
  return function privateGuard(req, res, next) {
    const given = req.headers["x-api-key"];
    if (given === undefined || given === "") {
      throw new StandinError("API_KEY_MISSING", "This mock is private: send an API key in the header X-Api-Key.");
    }
    judgeCredential(req, res, () => expectKnown(String(given)));
    next();
  };

  function expectKnown(text: string): void {
    const asked = digest(text);
    let isKnown = false;
    // Every key is looked at, found or not, so that the time tells nothing.
    for (const key of known) if (isSameSecret(asked, key)) isKnown = true;
    if (isKnown) return;
    warn(
      `private: an unknown key was refused; it begins with ${printable(text.slice(0, Math.min(5, text.length / 2)))}`,
    );
    throw new StandinError("API_KEY_INVALID", "This API key is not known here.");
  }
}

/** Only plain ASCII reaches the terminal: other bytes could be commands to it. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}

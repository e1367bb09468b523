import { isSecretValue, looksRandom } from "./secret-name.ts";

/** Shown in place of a secret. */
export const MASK = "...";

/** Which values are secret, and what takes their place. */
export interface Masking {
  /** By the name, or because a value of this name looks like a secret. */
  isSecret(name: string, value?: string): boolean;
  replace(secret: string, name: string): string;
  /** Takes JSON, the value of a secret name, and returns JSON. */
  replaceJson(json: string, name: string): string;
  /** Replaces what was found to be a secret elsewhere. */
  known(text: string): string;
}

/** The masking of everything that people see. */
export const HIDING: Masking = {
  isSecret: isSecretValue,
  replace: () => MASK,
  replaceJson: () => `"${MASK}"`,
  known: (text) => text,
};

/** Paths whose bodies are credentials. */
const TOKEN_ENDPOINT = /\/(?:token|oauth2?|authorize|log-?in|sign-?in|sessions?|auth|refresh)(?=[/?#;]|$)/i;

/** The masking of the bodies of an address: those of a login lose everything that looks drawn at random. */
export function maskingFor(address: string, masking: Masking): Masking {
  return TOKEN_ENDPOINT.test(address) ? ofCredentials(masking) : masking;
}

/** Also takes everything that looks drawn at random. */
export function ofCredentials(masking: Masking): Masking {
  return { ...masking, isSecret: (name, value = "") => masking.isSecret(name, value) || looksRandom(value) };
}

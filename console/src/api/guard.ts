import { credentialsVersion } from "./credentials.ts";
import type { Refusal } from "./refusal.ts";
import { createStore } from "./store.ts";

/** The credentials that a rejected request lacks. `login` also accepts an existing token. */
export type Lacking = "api-key" | "token" | "login" | "either";

const LACKING: Readonly<Record<string, Lacking>> = {
  API_KEY_MISSING: "api-key",
  API_KEY_MALFORMED: "api-key",
  API_KEY_INVALID: "api-key",
  AUTH_REQUIRED: "token",
  AUTH_FORBIDDEN: "token",
  TOKEN_REQUIRED: "login",
  TOKEN_EXPIRED: "login",
  TOKEN_INVALID: "login",
};

export interface Question {
  readonly lacking: Lacking;
  /** The words of the server. */
  readonly refusal: Refusal;
  /** Called with whether credentials were entered. */
  answer(given: boolean): void;
}

/** The pending question for credentials; the sign-in dialog shows it. */
export const question = createStore<Question | undefined>(undefined);

let asking: Promise<boolean> | undefined;
/** The version of the credentials at which the user declined, so as not to ask twice for the same. */
let declinedAt = -1;

/** The credentials that this error asks for; undefined if a key or token would not help. */
export function lackingOf({ code, status }: Refusal): Lacking | undefined {
  return LACKING[code] ?? (status === 401 ? "either" : undefined);
}

/** Asks the user once, however many requests wait; resolves to whether to retry. */
export function askForCredentials(refusal: Refusal, sentWith: number): Promise<boolean> {
  const lacking = lackingOf(refusal);
  if (lacking === undefined) return Promise.resolve(false);
  if (sentWith !== credentialsVersion()) return Promise.resolve(true);
  if (declinedAt === credentialsVersion()) return Promise.resolve(false);
  asking ??= new Promise<boolean>((resolve) => {
    question.set({ lacking, refusal, answer: resolve });
  }).finally(() => {
    asking = undefined;
    question.set(undefined);
  });
  return asking.then((given) => {
    if (!given) declinedAt = credentialsVersion();
    return given;
  });
}

/** Lets the user be asked again. */
export function askAgain(): void {
  declinedAt = -1;
}

import { createStore } from "../ui/store.ts";
import { credentialsVersion } from "./credentials.ts";
import type { Refusal } from "./refusal.ts";

/** What a refused request lacks. `login` also takes a token that somebody already has. */
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
  /** Called with whether something was given. */
  answer(given: boolean): void;
}

/** The question that waits for the person; the sign-in dialog shows it. */
export const question = createStore<Question | undefined>(undefined);

let asking: Promise<boolean> | undefined;
/** The credentials' version at which the person said no: nobody is asked twice for the same. */
let declinedAt = -1;

/** What this refusal asks for; undefined when a key or token would not help. */
export function lackingOf({ code, status }: Refusal): Lacking | undefined {
  return LACKING[code] ?? (status === 401 ? "either" : undefined);
}

/** Asks the person once, however many requests wait; tells whether it is worth trying again. */
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

/** The person wants to be asked again after all. */
export function askAgain(): void {
  declinedAt = -1;
}

/** Words that make a name secret, alone or among others: `key`, `api_key`, `sessionId`, `X-Auth-Token`. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "apikey",
  "auth",
  "authentication",
  "authorization",
  "bearer",
  "cookie",
  "credential",
  "csrf",
  "hmac",
  "jsessionid",
  "jwt",
  "key",
  "oauth",
  "otp",
  "pass",
  "passcode",
  "passphrase",
  "passwd",
  "password",
  "phpsessid",
  "pwd",
  "secret",
  "session",
  "sessionid",
  "sessionkey",
  "sid",
  "sig",
  "signature",
  "token",
  "totp",
  "xsrf",
]);

/** Endings of compound words: `accesstoken`, `userpassword`, `privatekey`. */
const SECRET_ENDINGS = [
  "token",
  "password",
  "passwd",
  "secret",
  "credential",
  "apikey",
  "accesskey",
  "privatekey",
  "secretkey",
];

/** Every secret name contains one of these; most texts contain none. */
const HINT = new RegExp([...SECRET_WORDS].join("|"), "i");
/** Runs of letters, and their words by capital letters: `APIKey` consists of `API` and `Key`. */
const LETTERS = /[a-z]+/gi;
const CAMEL_WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/**
 * Whether the value of this name must not be shown. Compares whole words, however they are joined: `authorization` and
 * `auth_code` are secret, `author` and `keyboard` are not.
 */
export function isSecretName(name: string): boolean {
  if (SECRET_WORDS.has(name)) return true;
  if (!hintsAtSecret(name)) return false;
  for (const [letters] of name.matchAll(LETTERS)) {
    const word = letters.toLowerCase();
    if (isSecretWord(word)) return true;
    if (word === letters) continue;
    for (const [part] of letters.matchAll(CAMEL_WORDS)) if (isSecretWord(part.toLowerCase())) return true;
  }
  return false;
}

/** Whether a text may contain a secret name. */
export function hintsAtSecret(text: string): boolean {
  return HINT.test(text);
}

function isSecretWord(word: string): boolean {
  const singular = word.endsWith("s") ? word.slice(0, -1) : word;
  if (SECRET_WORDS.has(word) || SECRET_WORDS.has(singular)) return true;
  return SECRET_ENDINGS.some((ending) => singular.endsWith(ending));
}

/** The position of the first whole word in a text that is a secret name; -1 when there is none. */
export function findSecretWord(text: string): number {
  for (const { 0: letters, index } of text.matchAll(LETTERS)) if (isSecretName(letters)) return index;
  return -1;
}

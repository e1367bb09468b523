/** Words that mark a name as that of a secret, alone or among others: `key`, `api_key`, `sessionId`, `X-Auth-Token`. */
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

/** Words written together that end so: `accesstoken`, `userpassword`, `privatekey`. */
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

/** Every name of a secret holds one of these somewhere; most texts hold none, and are done with. */
const HINT = new RegExp([...SECRET_WORDS].join("|"), "i");
/** Runs of letters, and the words that capitals make of them: `APIKey` holds `API` and `Key`. */
const LETTERS = /[a-z]+/gi;
const CAMEL_WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/**
 * Tells whether what has this name must not be shown. Whole words decide, however they are joined: `authorization` and
 * `auth_code` name secrets, `author` and `keyboard` do not.
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

/** Whether it is worth looking for names of secrets in a text. */
export function hintsAtSecret(text: string): boolean {
  return HINT.test(text);
}

function isSecretWord(word: string): boolean {
  const singular = word.endsWith("s") ? word.slice(0, -1) : word;
  if (SECRET_WORDS.has(word) || SECRET_WORDS.has(singular)) return true;
  return SECRET_ENDINGS.some((ending) => singular.endsWith(ending));
}

/** Finds the first whole word in a text that names a secret; -1 when there is none. */
export function findSecretWord(text: string): number {
  for (const { 0: letters, index } of text.matchAll(LETTERS)) if (isSecretName(letters)) return index;
  return -1;
}

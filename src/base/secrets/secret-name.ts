/** Words that make a name secret, alone or among others: `key`, `api_key`, `sessionId`, `X-Auth-Token`. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "apikey",
  "auth",
  "authentication",
  "authorization",
  "bearer",
  "cookie",
  "credential",
  "clave",
  "contrasena",
  "contraseña",
  "csrf",
  "cvc",
  "cvv",
  "geheim",
  "geheimnis",
  "haslo",
  "hasło",
  "heslo",
  "hmac",
  "iban",
  "jsessionid",
  "jwt",
  "kennwort",
  "key",
  "lösenord",
  "mdp",
  "mnemonic",
  "oauth",
  "otp",
  "pass",
  "passcode",
  "passphrase",
  "passwd",
  "password",
  "passwort",
  "phpsessid",
  "pin",
  "pw",
  "pwd",
  "secret",
  "senha",
  "session",
  "sessionid",
  "sessionkey",
  "sid",
  "sig",
  "signature",
  "ssn",
  "token",
  "totp",
  "wachtwoord",
  "xsrf",
  "пароль",
  "密码",
  "密碼",
]);

/** Endings of compound words: `accesstoken`, `userpassword`, `privatekey`. */
const SECRET_ENDINGS = [
  "token",
  "password",
  "passwd",
  "passwort",
  "kennwort",
  "wachtwoord",
  "secret",
  "credential",
  "apikey",
  "accesskey",
  "privatekey",
  "secretkey",
];

/** Secret names of several words, however they are joined: `creditCard`, `card_number`, `mot-de-passe`. */
const SECRET_COMPOUNDS =
  /creditcard|kreditkarte|cardn(?:umber|o|um)$|kartennummer$|(?:security|verification|mfa)code|socialsecurity|motdepasse|connectionstring|(?:seed|recovery)phrase/;

/** Tokens that turn pages: `nextPageToken`, `continuation_token`. They open nothing. */
const PAGE_TOKEN = /^(?:next|prev|previous)?(?:page|continuation|sync|skip)?token$/;

/** Every secret name contains one of these; most texts contain none. */
const HINT = new RegExp(
  [
    ...SECRET_WORDS,
    "hash",
    "salt",
    "seed",
    "card",
    "kart",
    "security",
    "verification",
    "mfa",
    "passe",
    "connection",
    "phrase",
  ].join("|"),
  "iu",
);
/** Names of values that are secret only if they look drawn at random: `hash` also names colours, `seed` also numbers. */
const RANDOM_NAME = /^(?:hash|salt|seed)(?:ed|es|s|_?hex)?$/i;

/** Runs of letters, and their words by capital letters: `APIKey` consists of `API` and `Key`. */
const LETTERS = /\p{L}+/gu;
const CAMEL_WORDS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu;

/**
 * Whether the value of this name must not be shown. Compares whole words, however they are joined: `authorization` and
 * `auth_code` are secret, `author` and `keyboard` are not.
 */
export function isSecretName(name: string): boolean {
  if (SECRET_WORDS.has(name)) return true;
  if (!hintsAtSecret(name)) return false;
  const plain = name.replace(/[^a-z]/gi, "").toLowerCase();
  if (SECRET_COMPOUNDS.test(plain)) return true;
  if (plain !== "token" && PAGE_TOKEN.test(plain)) return false;
  for (const [letters] of name.matchAll(LETTERS)) {
    const word = letters.toLowerCase();
    if (isSecretWord(word)) return true;
    if (word === letters) continue;
    for (const [part] of letters.matchAll(CAMEL_WORDS)) if (isSecretWord(part.toLowerCase())) return true;
  }
  return false;
}

/** Whether a value must not be shown, for its name, or because it has the look of a secret under this name. */
export function isSecretValue(name: string, value = ""): boolean {
  return isSecretName(name) || (RANDOM_NAME.test(name) && looksRandom(value));
}

/** Longer than any token; a text may be looked at again from each of its parts. */
const MAX_RANDOM = 4096;

/** Whether a text looks drawn at random, as tokens are: long, of letters and digits, without a space. */
export function looksRandom(text: string): boolean {
  if (text.length < 16 || text.length > MAX_RANDOM) return false;
  return /^[\w.~+/=-]+$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text);
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

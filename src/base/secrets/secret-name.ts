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
  /creditcard|kreditkarte|cardn(?:umber|o|um)$|kartennummer$|(?:security|verification|mfa)code|socialsecurity|motdepasse|connectionstring/;

/** Tokens that turn pages: `nextPageToken`, `continuation_token`. They open nothing. */
const PAGE_TOKEN = /^(?:next|prev|previous)?(?:page|continuation|sync|skip)?token$/;

/** Every secret name contains one of these; most texts contain none. */
const HINT = new RegExp(
  [...SECRET_WORDS, "card", "kart", "security", "verification", "mfa", "passe", "connection"].join("|"),
  "iu",
);
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

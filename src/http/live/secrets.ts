/** What must not be read over somebody's shoulder, and how it is shown instead. */
const SECRET_NAME = /pass(?:word|wd|phrase|code)|\bpass\b|pwd|secret|token|(?:api|access|private)[-_]?key|credential/i;
const SECRET_HEADER = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|^x-(?:auth|session)(?:-|$)/;
/** Answers to questions of browsers; none of them holds a secret, whatever it is named. */
const OPEN_HEADER = /^access-control-/;
/** These hold addresses. */
const ADDRESS_HEADERS = new Set(["link", "location", "referer", "content-location"]);
/** The query strings in a text: what stands between a question mark and the end of an address. */
const SEARCHES = /\?([^\s<>"#]*)/g;
/** A beginning of this length tells who sent it; of a shorter secret it would tell too much. */
const SHOWN = 5;
const MIN_LENGTH = 10;

export function maskHeader(lowerCaseName: string, value: string): string {
  if (OPEN_HEADER.test(lowerCaseName)) return value;
  if (SECRET_HEADER.test(lowerCaseName) || SECRET_NAME.test(lowerCaseName)) return mask(value);
  if (!ADDRESS_HEADERS.has(lowerCaseName)) return value;
  return value.replace(SEARCHES, (_, search: string) => `?${maskSearch(search)}`);
}

/** A query string, or a form. Pair by pair: the name of a field may hold escapes, of which any could hide a letter. */
export function maskSearch(search: string): string {
  if (!SECRET_NAME.test(search) && !search.includes("%")) return search;
  return search.split("&").map(maskPair).join("&");
}

function maskPair(pair: string): string {
  const equals = pair.indexOf("=");
  if (equals === -1) return pair;
  const name = pair.slice(0, equals);
  return SECRET_NAME.test(name) || SECRET_NAME.test(decoded(name)) ? `${name}=...` : pair;
}

/** A body, which may have been cut off. */
export function maskBody(text: string): string {
  // An escape may stand in a name, too.
  if (!SECRET_NAME.test(text) && !text.includes("\\u") && !text.includes("%")) return text;
  try {
    return JSON.stringify(JSON.parse(text), (name, value) => (SECRET_NAME.test(name) ? "..." : value));
  } catch {
    return isForm(text) ? maskSearch(text) : upToSecret(text);
  }
}

function isForm(text: string): boolean {
  return /^[^\s{}[\]"'<>=&]+=/.test(text);
}

/** What cannot be read as JSON is shown up to the first name of a secret: nobody can tell where its value ends. */
function upToSecret(text: string): string {
  const plain = text.replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const at = plain.search(SECRET_NAME);
  return at === -1 ? text : `${plain.slice(0, at)}...`;
}

/** Each escape by itself, so that a broken one does not save the others. */
function decoded(name: string): string {
  return name.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function mask(secret: string): string {
  return secret.length < MIN_LENGTH ? "..." : `${secret.slice(0, SHOWN)}...`;
}

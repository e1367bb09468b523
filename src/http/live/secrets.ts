/** What must not be read over somebody's shoulder, and how it is shown instead. */
const SECRET_NAME = /pass(?:word|wd|phrase)|secret|token|api[-_]?key|credential/i;
const SECRET_HEADER = /^(?:proxy-)?authorization$|^(?:set-)?cookie$/;
/** `password=...` in a query or a form, and `"password": "..."` in JSON that was cut off. */
const IN_FORM = /((?:^|&)[^=&]*(?:pass(?:word|wd|phrase)|secret|token|api[-_]?key|credential)[^=&]*=)[^&]*/gi;
const IN_TEXT =
  /("[^"]*(?:pass(?:word|wd|phrase)|secret|token|api[-_]?key|credential)[^"]*"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[^\s,}\]]+)/gi;
/** A beginning of this length tells who sent it; of a shorter secret it would tell too much. */
const SHOWN = 5;
const MIN_LENGTH = 10;

export function maskHeader(lowerCaseName: string, value: string): string {
  const isSecret = SECRET_HEADER.test(lowerCaseName) || SECRET_NAME.test(lowerCaseName);
  return isSecret ? mask(value) : value;
}

/** A query string, or a form. */
export function maskSearch(search: string): string {
  return SECRET_NAME.test(search) || search.includes("%") ? maskForm(search) : search;
}

/** A body, which may have been cut off. */
export function maskBody(text: string): string {
  // An escape may stand in a name, too.
  if (!SECRET_NAME.test(text) && !text.includes("\\u") && !text.includes("%")) return text;
  try {
    return JSON.stringify(JSON.parse(text), (name, value) => (SECRET_NAME.test(name) ? "..." : value));
  } catch {
    return maskForm(text.replace(IN_TEXT, '$1"..."'));
  }
}

/** The name of a field may hold escapes, of which any could hide a letter. */
function maskForm(text: string): string {
  const plain = text.replace(IN_FORM, "$1...");
  return plain.replace(/((?:^|&)([^=&]*%[^=&]*)=)[^&]*/g, (pair, start: string, name: string) =>
    SECRET_NAME.test(decoded(name)) ? `${start}...` : pair,
  );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function mask(secret: string): string {
  return secret.length < MIN_LENGTH ? "..." : `${secret.slice(0, SHOWN)}...`;
}

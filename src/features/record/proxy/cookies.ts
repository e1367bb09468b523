/** Browsers take these prefixes over HTTPS only. */
const PREFIXES = { "__Host-": "standin-host-", "__Secure-": "standin-secure-" } as const;

interface CookiePlace {
  /** Whether the client reached us over HTTPS. */
  readonly isSecure: boolean;
  /** The path that the upstream's address has, and the one that ours has instead. */
  readonly upstreamBase: string;
  readonly ownBase: string;
}

/** A `Set-Cookie` of the upstream as one of this server, so that browsers keep it. */
export function ownCookie(cookie: string, place: CookiePlace): string {
  const [pair = "", ...attributes] = cookie.split(";");
  const kept = attributes.flatMap((attribute) => ownAttribute(attribute.trim(), place) ?? []);
  return [place.isSecure ? pair : renamed(pair, PREFIXES), ...kept].join("; ");
}

/** A `Cookie` as the upstream knows it. */
export function upstreamCookie(cookie: string): string {
  const back = Object.fromEntries(Object.entries(PREFIXES).map(([theirs, ours]) => [ours, theirs]));
  return cookie
    .split(/;\s*/)
    .map((pair) => renamed(pair, back))
    .join("; ");
}

function ownAttribute(attribute: string, { isSecure, upstreamBase, ownBase }: CookiePlace): string | undefined {
  if (/^domain\s*=/i.test(attribute)) return undefined;
  const path = /^path\s*=\s*(.*)$/i.exec(attribute)?.[1];
  if (path !== undefined) return `Path=${ownPath(path, upstreamBase, ownBase)}`;
  if (isSecure) return attribute;
  if (/^(?:secure|partitioned)$/i.test(attribute)) return undefined;
  return attribute.replace(/^(samesite\s*=\s*)none$/i, "$1Lax");
}

function ownPath(path: string, upstreamBase: string, ownBase: string): string {
  const isBelow = path === upstreamBase || path.startsWith(`${upstreamBase}/`);
  const rest = isBelow ? path.slice(upstreamBase.length) : path;
  return `${ownBase}${rest}` || "/";
}

function renamed(pair: string, prefixes: Readonly<Record<string, string>>): string {
  const name = Object.keys(prefixes).find((prefix) => pair.startsWith(prefix));
  return name === undefined ? pair : `${prefixes[name]}${pair.slice(name.length)}`;
}

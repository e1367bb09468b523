const BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IP_4 = `${BYTE}(?:\\.${BYTE}){3}`;
const ipv4 = new RegExp(`^${IP_4}$`);
const group = /^[\da-f]{1,4}$/i;
const zone = /%[\da-z-.:]+$/i;

export function isIP(text: string): 0 | 4 | 6 {
  if (isIPv4(text)) return 4;
  return isIPv6(text) ? 6 : 0;
}

export function isIPv4(text: string): boolean {
  return ipv4.test(text);
}

export function isIPv6(text: string): boolean {
  const [head = "", tail, ...more] = text.replace(zone, "").split("::");
  if (more.length > 0) return false;
  const before = groupsIn(head, tail === undefined);
  const after = tail === undefined ? 0 : groupsIn(tail, true);
  return tail === undefined ? before === 8 : before + after < 8;
}

/** How many groups of sixteen bits there are; not a number if one is none. */
function groupsIn(text: string, mayEndInIPv4: boolean): number {
  if (text === "") return 0;
  const parts = text.split(":");
  const last = parts.at(-1) ?? "";
  const isMixed = mayEndInIPv4 && isIPv4(last);
  const groups = isMixed ? parts.slice(0, -1) : parts;
  return groups.every((part) => group.test(part)) ? groups.length + (isMixed ? 2 : 0) : Number.NaN;
}

/** An absolute address in its parts; undefined for any other text. */
export function parsedUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** The credentials the user entered. Kept for this tab only, in the session storage. */
export interface Credentials {
  readonly apiKey: string;
  readonly token: string;
}

const PLACE = "standin-credentials";
const NONE: Credentials = { apiKey: "", token: "" };

let current = load();
let version = 0;

export function credentials(): Credentials {
  return current;
}

/** Increases with every change: a request that was rejected with older credentials is retried. */
export function credentialsVersion(): number {
  return version;
}

export function keepCredentials(changed: Partial<Credentials>): void {
  current = { ...current, ...changed };
  version++;
  if (current.apiKey === "" && current.token === "") sessionStorage.removeItem(PLACE);
  else sessionStorage.setItem(PLACE, JSON.stringify(current));
}

/** The headers that every request of the console carries. */
export function credentialHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  if (current.apiKey !== "") headers["X-API-KEY"] = current.apiKey;
  if (current.token !== "") headers.Authorization = `Bearer ${current.token}`;
  return headers;
}

function load(): Credentials {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? "{}") as Partial<Credentials>;
    return { apiKey: String(kept.apiKey ?? ""), token: String(kept.token ?? "") };
  } catch {
    return NONE;
  }
}

import { StandinError } from "../base/errors.ts";
import type { Call } from "./call.ts";
import type { Service } from "./contract.ts";
import { CORE_ROUTES } from "./router.ts";

/** Requests that change no data although their method writes, such as `POST /__snapshots__`. */
export function harmlessRequests({ features }: Service): ReadonlySet<string> {
  const rows = [...CORE_ROUTES, ...features.flatMap(({ routes = [] }) => routes)];
  return new Set(rows.flatMap(({ path, harmless = [] }) => harmless.map((method) => `${method} ${path}`)));
}

/** Refuses requests that would change data. */
export function refuseWrite({ method, isSafe, target }: Call, harmless: ReadonlySet<string>): void {
  if (isSafe) return;
  if (harmless.has(`${method} ${target.path.replace(/\/$/, "")}`)) return;
  throw new StandinError(
    "READ_ONLY",
    `${method} is refused: this server is read-only. Start it without --read-only to write.`,
  );
}

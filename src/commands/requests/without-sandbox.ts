import { SANDBOX_PREFIX } from "../../features/sandboxes/feature.ts";

/** A path without the sandbox that it names. */
export function withoutSandbox(path: string): string {
  if (!path.startsWith(SANDBOX_PREFIX)) return path;
  const slash = path.indexOf("/", SANDBOX_PREFIX.length);
  return slash === -1 ? "/" : path.slice(slash);
}

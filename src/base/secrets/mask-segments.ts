import { isSecretName } from "./secret-name.ts";
import { looksRandom, SECRET_PATTERNS } from "./secret-patterns.ts";

/** Masks the secrets in the segments of a path: those that their look tells, and `/tokens/` with a random text below. */
export function maskSegments(path: string, replace: (secret: string, name: string) => string): string {
  let before = "";
  return path
    .split("/")
    .map((segment) => {
      const name = before;
      before = segment;
      if (isSecretName(name) && looksRandom(segment)) return replace(segment, name);
      return SECRET_PATTERNS.reduce(
        (masked, { name, pattern }) => masked.replace(pattern, (secret) => replace(secret, name)),
        segment,
      );
    })
    .join("/");
}

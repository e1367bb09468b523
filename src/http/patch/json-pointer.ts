import { StandinError } from "../../base/errors.ts";

/** Parses a JSON Pointer (RFC 6901) into its tokens. `__proto__` is refused: no record needs it, and programs trip over it. */
export function parsePointer(pointer: string, place: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) {
    throw new StandinError("PATCH_INVALID", `${place}: "${pointer}" is not a JSON Pointer; it must begin with "/".`);
  }
  return pointer
    .slice(1)
    .split("/")
    .map((token) => {
      if (/~(?![01])/.test(token)) {
        throw new StandinError("PATCH_INVALID", `${place}: "${pointer}" has a "~" that is neither "~0" nor "~1".`);
      }
      const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
      if (name === "__proto__") throw new StandinError("PATCH_INVALID", `${place}: "${pointer}" names "__proto__".`);
      return name;
    });
}

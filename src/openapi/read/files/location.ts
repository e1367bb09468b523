import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { percentDecoded, pointerOf } from "../../../schema/pointer.ts";
import { fileOf, type Location } from "../../../schema/references.ts";
import { isAddress } from "./read-text.ts";

/** References with this in front name a place, from wherever they stand: for those that we write ourselves. */
export const BY_PLACE = "standin:";

/**
 * Where a reference in a file leads to. Names of files: "" for the document itself, the path from its folder
 * (`schemas/pet.yaml`) for others, and the address for what comes from the network.
 */
export function locate(document: string, from: string, reference: string): Location {
  if (reference.startsWith(BY_PLACE)) {
    const place = reference.slice(BY_PLACE.length);
    const file = fileOf(place);
    return { file: percentDecoded(file), pointer: pointerOf(place.slice(file.length + 1)) };
  }
  const hash = reference.indexOf("#");
  const pointer = pointerOf(hash === -1 ? "" : reference.slice(hash + 1));
  const target = hash === -1 ? reference : reference.slice(0, hash);
  return { file: target === "" ? from : fileFor(document, from, target), pointer };
}

/** Where a file is to be read: a path, or an address. */
export function sourceOf(document: string, file: string): string {
  if (file === "" || isAddress(file)) return file === "" ? document : file;
  return resolve(dirname(document), file);
}

function fileFor(document: string, from: string, target: string): string {
  const base = sourceOf(document, from);
  if (isAddress(target) || isAddress(base)) {
    const above = isAddress(base) ? base : undefined;
    const address = URL.canParse(target, above) ? new URL(target, above).href : target;
    return isAddress(document) && address === new URL(document).href ? "" : address;
  }
  const path = resolve(dirname(base), target.startsWith("file:") ? pathOf(target) : percentDecoded(target));
  if (path === resolve(document)) return "";
  const name = relative(resolve(dirname(document)), path);
  return isAbsolute(name) ? name : name.split(sep).join("/");
}

/** The path of a `file:` address; one that names another machine leads nowhere. */
function pathOf(address: string): string {
  try {
    return fileURLToPath(address);
  } catch {
    return address;
  }
}

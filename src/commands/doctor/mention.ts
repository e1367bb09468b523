import type { Place } from "./finding.ts";

/** The line of package.json that installs standin under the name json-server. */
export const ALIAS_LINE = '"json-server": "npm:standin-json-server@^0.17.100"';

/** A dependency, command or import that names json-server. */
export interface Mention extends Place {
  readonly kind: "dependency" | "command" | "import";
  readonly text: string;
  /** The same line with standin: for a dependency, the alias. Undefined if only the alias makes it work. */
  readonly replacement: string | undefined;
}

const BY_FILE = /(?:node\s+)?(?:\.\/)?node_modules\/json-server\/\S+?\.js\b/g;
const BY_NAME = /(^|[\s"'`/;&|(])json-server(?:@[\w.^~-]+)?(?=[\s"'`;&|)]|$)/g;

export function dependencyMention(place: Place, version: string): Mention {
  return { ...place, kind: "dependency", text: `"json-server": "${version}"`, replacement: ALIAS_LINE };
}

/** `flags` are those that standin needs in addition. */
export function commandMention(place: Place, text: string, flags = ""): Mention {
  const standin = `standin${flags}`;
  const replacement = text.replace(BY_FILE, `npx ${standin}`).replace(BY_NAME, `$1${standin}`);
  // The command of json-server-auth loads json-server by its name.
  const needsName = /\bjson-server-auth\b/.test(replacement) || replacement === text;
  return { ...place, kind: "command", text, replacement: needsName ? undefined : replacement };
}

export function importMention(place: Place, text: string): Mention {
  const replacement = text.replace(/(["'])json-server\1/g, "$1standin/json-server$1");
  return { ...place, kind: "import", text, replacement: replacement === text ? undefined : replacement };
}

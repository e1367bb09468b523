import { isJsonObject, type JsonObject } from "../../base/json/json.ts";

/** The paths of the servers, without a slash at the end and each once; empty for a server without a path. */
export function readBasePaths({ servers }: JsonObject): string[] {
  const list = Array.isArray(servers) ? servers.filter(isJsonObject) : [];
  const paths = list.flatMap((server) => (typeof server.url === "string" ? pathOf(filledIn(server.url, server)) : []));
  return paths.length === 0 ? [""] : [...new Set(paths)];
}

/** `{name}` stands for a variable, whose default it has. */
function filledIn(url: string, { variables }: JsonObject): string {
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = isJsonObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isJsonObject(variable) && variable.default !== undefined ? String(variable.default) : whole;
  });
}

function pathOf(url: string): string[] {
  try {
    const { pathname } = new URL(url, "http://localhost/");
    return [decodeURI(pathname).replace(/\/+$/, "")];
  } catch {
    // Servers that cannot be read are of no use to clients either.
    return [];
  }
}

import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, resolve } from "node:path";
import { StartError } from "../../base/errors.ts";
import { importFile } from "../../base/files/import-file.ts";

/** An Express middleware, or error middleware (four parameters), of the user's. */
export type Interceptor = (...parameters: never[]) => unknown;

/** The middlewares a file exports: one function, or an array of them, as json-server takes them. */
export async function loadInterceptors(entry: string, isReload = false): Promise<Interceptor[]> {
  const file = findInterceptor(entry);
  if (file === undefined) throw new StartError(`middlewares: there is no file ${entry}.`);
  const exported = await importFile(file, { isReload });
  const functions: unknown[] = Array.isArray(exported) ? exported.flat(Infinity) : [exported];
  const isFunction = (value: unknown): value is Interceptor => typeof value === "function";
  if (functions.length > 0 && functions.every(isFunction)) return functions;
  throw new StartError(`${entry} must export a function (req, res, next) or an array of such functions.`);
}

/**
 * The file itself, else what `require` finds under that name, as in 0.17: `./auth` is `./auth.js` or `./auth/index.js`.
 * Else the package of that name in this project.
 */
export function findInterceptor(entry: string): string | undefined {
  if (statSync(entry, { throwIfNoEntry: false })?.isFile()) return entry;
  const require = createRequire(resolve("standin.js"));
  for (const name of [resolve(entry), entry]) {
    try {
      const found = require.resolve(name);
      // A module of Node's own is no interceptor.
      if (isAbsolute(found)) return found;
    } catch {
      // Not that one.
    }
  }
  return undefined;
}

import { existsSync } from "node:fs";
import { StartError } from "../errors.ts";
import { importFile } from "../import-file.ts";

/** An Express middleware, or error middleware (four parameters), of the user's. */
export type Interceptor = (...parameters: never[]) => unknown;

/** The middlewares a file exports: one function, or an array of them, as json-server takes them. */
export async function loadInterceptors(file: string): Promise<Interceptor[]> {
  if (!existsSync(file)) throw new StartError(`middlewares: there is no file ${file}.`);
  const exported = await importFile(file);
  const functions: unknown[] = Array.isArray(exported) ? exported.flat() : [exported];
  const isFunction = (value: unknown): value is Interceptor => typeof value === "function";
  if (functions.length > 0 && functions.every(isFunction)) return functions;
  throw new StartError(`${file} must export a function (req, res, next) or an array of such functions.`);
}

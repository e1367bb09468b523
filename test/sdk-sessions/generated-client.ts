import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import createClient from "openapi-fetch";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import type { Operation } from "../../src/openapi/read/api-document.ts";
import { loadApiDocument } from "../../src/openapi/read/load-api-document.ts";

interface Arguments {
  readonly path?: Record<string, string | number>;
  readonly query?: Record<string, string | number | boolean>;
  readonly body?: JsonObject;
}

export interface CallResult {
  readonly status: number;
  /** The body; an empty object if there is none. */
  readonly body: JsonObject & Json[];
}

/** Calls an operation of a client that was generated from a document. */
export type Call = (operationId: string, args?: Arguments) => Promise<CallResult>;

export type Generator = "openapi-fetch" | "hey-api" | "orval";

type Module = Record<string, (...args: unknown[]) => Promise<{ status: number; data: unknown }>>;
type HeyApiModule = Record<
  string,
  (options: unknown) => Promise<{ data?: unknown; error?: unknown; response: { status: number } }>
>;

/** A client for the document, made by the generator. `generators` is the folder in which those are installed. */
export async function generateClient(
  generator: Generator,
  file: string,
  url: string,
  generators: string,
): Promise<Call> {
  const { operations } = await loadApiDocument(file);
  const base = url.replace(/\/$/, "");
  if (generator === "openapi-fetch") return openapiFetch(operations, base);
  const folder = mkdtempSync(join(tmpdir(), "sdk-session-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return generator === "hey-api"
    ? heyApi(file, base, folder, generators)
    : orval(operations, { file, base, folder, generators });
}

function openapiFetch(operations: readonly Operation[], baseUrl: string): Call {
  const call = createClient<object>({ baseUrl }) as unknown as Record<
    string,
    (path: string, options: object) => ReturnType<HeyApiModule[string]>
  >;
  return async (operationId, { path = {}, query = {}, body } = {}) => {
    const { method, path: template } = operationOf(operations, operationId);
    const send = call[method];
    if (!send) throw new Error(`openapi-fetch has no ${method}`);
    return resultOf(await send(template.text, { params: { path, query }, body }));
  };
}

async function heyApi(file: string, baseUrl: string, folder: string, generators: string): Promise<Call> {
  run(generators, "openapi-ts", ["-i", resolve(file), "-o", folder]);
  const module = (await import(pathToFileURL(join(folder, "sdk.gen.ts")).href)) as HeyApiModule;
  return async (operationId, { path, query, body } = {}) => {
    const result = await functionOf(module, operationId)({ path, query, body, baseUrl });
    return resultOf(result);
  };
}

interface OrvalOptions {
  readonly file: string;
  readonly base: string;
  readonly folder: string;
  readonly generators: string;
}

async function orval(
  operations: readonly Operation[],
  { file, base, folder, generators }: OrvalOptions,
): Promise<Call> {
  const target = join(folder, "api.ts");
  const config = { api: { input: resolve(file), output: { target, client: "fetch", baseUrl: base } } };
  writeFileSync(join(folder, "orval.config.cjs"), `module.exports = ${JSON.stringify(config)};`);
  run(generators, "orval", ["--config", join(folder, "orval.config.cjs")]);
  const module = (await import(pathToFileURL(target).href)) as Module;
  return async (operationId, { path = {}, query, body } = {}) => {
    const names = [...operationOf(operations, operationId).path.text.matchAll(/\{([^{}]+)\}/g)].map(
      ([, name = ""]) => path[name],
    );
    const { status, data } = await functionOf(module, operationId)(
      ...names,
      ...(body ? [body] : []),
      ...(query ? [query] : []),
    );
    return resultOf({ data, response: { status } });
  };
}

function run(generators: string, command: string, args: readonly string[]): void {
  execFileSync(join(generators, "node_modules/.bin", command), args, { stdio: ["ignore", "ignore", "inherit"] });
}

function operationOf(operations: readonly Operation[], operationId: string): Operation {
  const found = operations.find((one) => one.operationId === operationId);
  if (!found) throw new Error(`the document has no operation ${operationId}`);
  return found;
}

function functionOf<T>(module: Record<string, T>, operationId: string): T {
  const name =
    operationId[0]?.toLowerCase() +
    operationId.slice(1).replaceAll(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
  const found = module[name];
  if (found === undefined) throw new Error(`the client has no function ${name}`);
  return found;
}

function resultOf({ data, error, response }: Awaited<ReturnType<HeyApiModule[string]>>): CallResult {
  return { status: response.status, body: (data ?? error ?? {}) as CallResult["body"] };
}

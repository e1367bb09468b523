import { StartError } from "../base/errors.ts";
import { isJsonObject, type Json } from "../base/json/json.ts";
import type { OptionValue } from "../base/option.ts";

/**
 * Replaces every `{ "env": "NAME" }` by the value of that environment variable, so that secrets can stay out of files.
 * `place` says where the value comes from, for the message about a variable that is not set.
 */
export function withEnvironment(value: Json, env: NodeJS.ProcessEnv, place: string): Json {
  if (Array.isArray(value))
    return value.map((element, position) => withEnvironment(element, env, `${place}[${position}]`));
  if (!isJsonObject(value)) return value;
  const { env: name, ...rest } = value;
  if (typeof name === "string" && Object.keys(rest).length === 0) {
    return secretIn(env, name, place);
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, withEnvironment(inner, env, `${place}.${key}`)]);
  return Object.fromEntries(entries) as Json;
}

/** Replaces every `{env:NAME}` in the values of an option. */
export function fromEnvironment(
  value: OptionValue | undefined,
  option: string,
  env: NodeJS.ProcessEnv = process.env,
): OptionValue | undefined {
  if (!Array.isArray(value)) return value;
  return value.map((text: unknown) =>
    String(text).replace(/\{env:(\w+)\}/g, (_, name: string) => secretIn(env, name, `--${option}`)),
  );
}

function secretIn(env: NodeJS.ProcessEnv, name: string, place: string): string {
  const secret = env[name];
  if (secret !== undefined && secret !== "") return secret;
  throw new StartError(`${place}: the environment variable ${name} is not set.`);
}

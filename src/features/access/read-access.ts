import { StartError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { type AccessRule, parseAccessRule } from "./access-rule.ts";

const KEYS = ["owner", "read", "write", "admin"];

/** The rules of one collection or singleton. */
export interface MemberAccess {
  readonly owner: string | undefined;
  readonly read: AccessRule;
  readonly write: AccessRule;
  /** Whether the rules do not apply to admins. */
  readonly isOpenToAdmins: boolean;
}

export type AccessRules = ReadonlyMap<string, MemberAccess>;

/** Reads `access` of the config file; a `StartError` names the file, the key and what is allowed. */
export function readAccess(given: JsonObject, place: string): AccessRules {
  const rules = new Map<string, MemberAccess>();
  for (const [name, value] of Object.entries(given)) {
    const fail = (key: string, problem: string): StartError =>
      new StartError(`${place}: ${["access", name, ...(key === "" ? [] : [key])].join(".")}: ${problem}`);
    if (!isJsonObject(value))
      throw fail("", 'must be an object, such as { "read": "anyone", "write": "role:editor" }.');
    rules.set(name, readMember(value, fail));
  }
  return rules;
}

function readMember(value: JsonObject, fail: (key: string, problem: string) => StartError): MemberAccess {
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw fail(unknown, `is not a setting; allowed are ${KEYS.join(", ")}.${didYouMean(unknown, KEYS)}`);
  }
  const owner = value.owner;
  if (owner !== undefined && (typeof owner !== "string" || !/^[^.[\]]+$/.test(owner))) {
    throw fail("owner", `must name a field of the records, such as "user_id", not ${JSON.stringify(owner)}.`);
  }
  const { admin } = value;
  if (admin !== undefined && admin !== "all") throw fail("admin", `must be "all", not ${JSON.stringify(admin)}.`);
  const ruleOf = (key: "read" | "write"): AccessRule => {
    const text = value[key];
    if (text === undefined) return { kind: "nobody" };
    if (typeof text !== "string") throw fail(key, `must be a text, not ${JSON.stringify(text)}.`);
    const rule = parseAccessRule(text, (problem) => fail(key, problem));
    if (rule.kind === "owner" && owner === undefined) throw fail(key, 'is "owner", but no field is named in "owner".');
    return rule;
  };
  return { owner, read: ruleOf("read"), write: ruleOf("write"), isOpenToAdmins: admin === "all" };
}

import type { AccessOptions } from "../../app/program-options.ts";
import type { Json } from "../../base/json/json.ts";
import type { Remark } from "./finding.ts";

/** json-server-auth finds the owner of a record by this field alone. */
const OWNER = "userId";
/** One digit for the owner, one for users who are logged in, one for everybody: 6 reads and writes, 4 reads. */
const GUARD = /^[640]{3}$/;

interface Guarded {
  readonly access: AccessOptions;
  /** The routes that need no token. */
  readonly public: readonly string[];
}

/** Whether an entry of a rewrite file is a guard of json-server-auth: `"posts": 600`. */
export function isGuard(to: Json): boolean {
  return GUARD.test(String(to));
}

/** The rules of access that mean what a guard says, and where the guard itself lets more through. */
export function checkGuard(name: string, guard: Json): Remark {
  const code = String(guard);
  const { access, public: open } = rulesFor(name, code);
  const routes = open.length > 0 ? ` and "public": ${JSON.stringify(open)} in the layer` : "";
  return {
    level: "works",
    message: `"${name}": ${code} works as before, gaps included: ${gapsOf(code)}.`,
    fix: `To close them, list the layer sign-in, with "access": ${JSON.stringify({ [name]: access })}${routes}.`,
  };
}

function rulesFor(name: string, code: string): Guarded {
  const [own, logged, all] = code;
  // The record of a user has no owner but that user.
  const ofOwner = name === "users" ? "id={{user.id}}" : "owner";
  const read = logged === "0" ? ofOwner : "anyone";
  const write = own !== "6" ? undefined : logged === "6" ? "anyone" : ofOwner;
  const hasOwner = read === "owner" || write === "owner";
  return {
    access: { ...(hasOwner && { owner: OWNER }), read, ...(write !== undefined && { write }) },
    public: all === "0" ? [] : [all === "6" ? `/${name}*` : `GET /${name}*`],
  };
}

function gapsOf(code: string): string {
  const [, logged] = code;
  const gaps: string[] = [];
  if (logged === "0") gaps.push("a list shows the records of all users to everyone who owns one of them");
  if (code.startsWith("6") && logged !== "6") gaps.push(`PUT takes over any record by one's own ${OWNER} in the body`);
  gaps.push("/db, nested routes and _embed pass it by");
  return gaps.join("; ");
}

import type { EnvelopeRole } from "../../../openapi/bind/roles.ts";

/** The value of a field around a list; undefined where there is none, such as the next page of the last one. */
export type RoleValue = (role: EnvelopeRole) => string | number | boolean | undefined;

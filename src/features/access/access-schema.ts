import type { JsonObject } from "../../base/json/json.ts";

const RULE = "owner, anyone, role:<name>, or filters such as team={{user.team}}";

/** The form of `access`, for editors. */
export const ACCESS_SCHEMA: JsonObject = {
  additionalProperties: {
    type: "object",
    properties: {
      owner: {
        description: "Field with the id of a record's owner; filled for new records",
        type: "string",
        minLength: 1,
      },
      read: { description: `Who may read a record: ${RULE} (default: admins)`, type: "string", minLength: 1 },
      write: { description: `Who may write a record: ${RULE} (default: admins)`, type: "string", minLength: 1 },
      admin: { description: 'all: the rules do not apply to users with the role "admin"', enum: ["all"] },
    },
    additionalProperties: false,
  },
};

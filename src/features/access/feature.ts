import type { JsonObject } from "../../base/json/json.ts";
import type { OptionTable } from "../../base/option.ts";
import { defineFeature } from "../feature.ts";
import { ACCESS_SCHEMA } from "./access-schema.ts";

const OPTIONS = {
  access: {
    name: "access",
    type: "object",
    help: "Who may read and write the records of each collection; needs the layer sign-in",
    schema: ACCESS_SCHEMA,
    only: "file",
  },
} as const satisfies OptionTable;

/** Shows every user the records that they may read, and refuses writes to all others. */
export const accessFeature = defineFeature({
  name: "access",
  options: OPTIONS,
  needsData: true,
  isOn: ({ access }) => access !== undefined,
  async check({ access = {} }, { place }) {
    return (await import("./read-access.ts")).readAccess(access, place);
  },
  async open(context) {
    const offer: JsonObject = context.options.access ?? {};
    return { ...(await import("./open-access.ts")).openAccess(context), offer };
  },
});

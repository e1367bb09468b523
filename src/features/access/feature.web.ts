import { StartError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { defineFeature } from "../feature.ts";

const OPTIONS = { access: { name: "access", type: "object", help: "", only: "file" } } as const;

/** Refuses rules where nobody can sign in, so that they are never taken for granted. */
export const accessFeature = defineFeature({
  name: "access",
  options: OPTIONS,
  isOn: ({ access }) => access !== undefined,
  open(): { readonly name: string; readonly offer: JsonObject } {
    throw new StartError('"access" needs the layer "sign-in", which needs a server of its own.');
  },
});

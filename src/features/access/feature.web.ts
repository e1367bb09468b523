import { StartError } from "../../base/errors.ts";
import { defineFeature } from "../feature.ts";

const OPTIONS = { access: { name: "access", type: "object", help: "", only: "file" } } as const;

/** Refuses rules where nobody can sign in, so that they are never taken for granted. */
export const accessFeature = defineFeature({
  name: "access",
  options: OPTIONS,
  isOn: ({ access }) => access !== undefined,
  open() {
    throw new StartError('"access" needs the layer "sign-in", which needs a server of its own.');
  },
});

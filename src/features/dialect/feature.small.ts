import { StandinError } from "../../base/errors.ts";
import { defineFeature } from "../feature.ts";

/** Refuses another dialect: a small worker responds as json-server 0.17 does. */
export const dialectFeature = defineFeature({
  name: "dialect",
  options: { dialect: { name: "dialect", type: "string", help: "" } },
  isOn: ({ dialect }) => dialect === "json-server-1" || dialect === "1",
  open() {
    throw new StandinError(
      "OPTION_UNAVAILABLE",
      'The option "dialect" is not available in a small worker. Leave it out, or use standin/worker.',
    );
  },
});

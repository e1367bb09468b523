import type { OptionTable } from "../../base/option.ts";
import { defineFeature } from "../feature.ts";

const OPTIONS = {
  dialect: {
    name: "dialect",
    type: "string",
    placeholder: "<dialect>",
    choices: ["json-server-0.17", "json-server-1", "0.17", "1"],
    help: "Response dialect (default 0.17)",
  },
} as const satisfies OptionTable;

/** Responds as json-server 1.0 does, where that differs from 0.17. */
export const dialectFeature = defineFeature({
  name: "dialect",
  options: OPTIONS,
  isOn: ({ dialect }) => dialect === "json-server-1" || dialect === "1",
  async open(context) {
    return (await import("./open-dialect.ts")).openDialect(context);
  },
});

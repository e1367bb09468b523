import type { OptionTable } from "../../base/option.ts";
import { indexRoute } from "../../http/routes/index-page.ts";
import { defineFeature } from "../feature.ts";
import { createPages } from "./pages.ts";

const OPTIONS = {
  noConsole: {
    name: "no-console",
    type: "boolean",
    default: false,
    help: "Turn off the console, the API description, events and the traffic log",
    inPrograms: false,
  },
} as const satisfies OptionTable;

/** The web page to look at and edit the data, and the page that documents the API. */
export const consoleFeature = defineFeature({
  name: "console",
  options: OPTIONS,
  isOn: ({ noConsole }) => !noConsole,
  open({ service }) {
    return {
      name: "console",
      pageFor: createPages(service),
      // Where the console was not built, the plain page has to do.
      routes: [{ path: "/__console", yields: true, ...indexRoute }],
    };
  },
});

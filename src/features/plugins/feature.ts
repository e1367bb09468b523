import type { OptionTable } from "../../base/option.ts";
import { defineFeature } from "../feature.ts";

const OPTIONS = {
  plugins: {
    name: "plugins",
    type: "strings",
    placeholder: "<files>",
    help: "Plugin files: custom routes with access to the data",
  },
  pluginOptions: {
    name: "pluginOptions",
    type: "object",
    help: "Settings of the plugins, by plugin name",
    only: "file",
  },
} as const satisfies OptionTable;

/** Custom routes and behaviour from files of the user's own. */
export const pluginsFeature = defineFeature({
  name: "plugins",
  options: OPTIONS,
  isOn: ({ plugins = [] }, { given }) => plugins.length > 0 || given.plugins !== undefined,
  async check(options, start) {
    return (await import("./open-plugins.ts")).loadPlugins(options, start);
  },
  async open(context) {
    return (await import("./open-plugins.ts")).openPlugins(context);
  },
});

import type { OpenFeature } from "../../http/service.ts";
import type { JsonObject } from "../../json.ts";
import type { FeatureContext } from "../feature.ts";
import { ActivePlugin } from "./active-plugin.ts";
import { loadPlugin } from "./load-plugin.ts";
import type { AnyPlugin } from "./plugin.ts";
import { PluginTable } from "./plugin-table.ts";

interface PluginsOptions {
  readonly plugins: readonly string[] | undefined;
  readonly pluginOptions: JsonObject | undefined;
}

export async function openPlugins(context: FeatureContext<PluginsOptions>): Promise<OpenFeature> {
  const { options, place, service, given, note } = context;
  const sources = (given.plugins as readonly (string | AnyPlugin)[] | undefined) ?? options.plugins ?? [];
  const load = { pluginOptions: options.pluginOptions ?? {}, place };
  const active: ActivePlugin[] = [];
  for (const source of sources) {
    const plugin = new ActivePlugin(await loadPlugin(source, load), service);
    active.push(plugin);
    note(`plugin ${plugin.name} from ${plugin.source}`);
  }
  warnOfStrangers(Object.keys(load.pluginOptions), active, context);
  let table = new PluginTable(active);
  for (const plugin of active) await plugin.open();

  return {
    name: "plugins",
    findRoute: (segments, method) => table.find(segments, method),
    step: {
      get isActive() {
        return table.hasSteps;
      },
      respond: (exchange, current, next) => table.runSteps(exchange, current, next),
    },
    describe: async (facts) => (await import("./openapi.ts")).pluginPaths(active, facts),
    watched: {
      files: () => active.flatMap(({ file }) => file ?? []),
      reload: async (file) => {
        const plugin = active.find((one) => one.file === file);
        if (!plugin) return;
        await plugin.replace(await loadPlugin(file, { ...load, isReload: true }));
        table = new PluginTable(active);
      },
    },
    close: async () => {
      for (const plugin of active.toReversed()) await plugin.close();
    },
  };
}

function warnOfStrangers(
  names: readonly string[],
  active: readonly ActivePlugin[],
  { service, place }: FeatureContext<PluginsOptions>,
): void {
  for (const name of names) {
    if (active.some((plugin) => plugin.name === name)) continue;
    service.reporter.warn(`${place}: "pluginOptions.${name}" has settings, but no plugin has that name.`);
  }
}

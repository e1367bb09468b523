import { StartError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { OpenFeature } from "../../http/contract.ts";
import type { FeatureContext, FeatureStart } from "../feature.ts";
import { ActivePlugin } from "./active-plugin.ts";
import { type LoadedPlugin, loadPlugin, type PluginLoadOptions } from "./load-plugin.ts";
import { PluginTable } from "./plugin-table.ts";
import type { AnyPlugin } from "./types.ts";

interface PluginsOptions {
  readonly plugins: readonly string[] | undefined;
  readonly pluginOptions: JsonObject | undefined;
}

type Context = FeatureContext<PluginsOptions, readonly LoadedPlugin[]>;

/** Loads every plugin, so that one that cannot be used stops the start before the data is opened. */
export async function loadPlugins(options: PluginsOptions, { given, place }: FeatureStart): Promise<LoadedPlugin[]> {
  const sources = (given.plugins as readonly (string | AnyPlugin)[] | undefined) ?? options.plugins ?? [];
  const loaded: LoadedPlugin[] = [];
  for (const source of sources) {
    const next = await loadPlugin(source, loadOptions(options, place));
    const same = loaded.find(({ plugin }) => plugin.name === next.plugin.name);
    if (same) {
      throw new StartError(
        `plugins: ${same.source} and ${next.source} are both named "${next.plugin.name}". Rename one.`,
      );
    }
    loaded.push(next);
  }
  return loaded;
}

export async function openPlugins(context: Context): Promise<OpenFeature> {
  const { options, place, service, checked, note } = context;
  const active = checked.map((loaded) => new ActivePlugin(loaded, service));
  for (const { name, source } of active) note(`plugin ${name} from ${source}`);
  const load = loadOptions(options, place);
  warnOfStrangers(Object.keys(load.pluginOptions), active, context);
  let table = new PluginTable(active);
  const close = async (): Promise<void> => {
    for (const plugin of active.toReversed()) await plugin.close();
  };
  try {
    for (const plugin of active) await plugin.open();
  } catch (thrown) {
    await close();
    throw thrown;
  }

  return {
    name: "plugins",
    stage: "plugins",
    findRoute: (segments, method) => table.find(segments, method),
    step: {
      isCustom: true,
      get isActive() {
        return table.hasSteps;
      },
      respond: (call, current, next) => table.runSteps(call, current, next),
    },
    describe: async (facts) => (await import("./openapi.ts")).pluginPaths(active, facts),
    watched: {
      files: () => active.flatMap(({ file }) => file ?? []),
      reload: async (file) => {
        const plugin = active.find((one) => one.file === file);
        if (!plugin) return;
        await plugin.replace(await loadPlugin(plugin.source, { ...load, isReload: true }));
        table = new PluginTable(active);
      },
    },
    close,
  };
}

function loadOptions({ pluginOptions = {} }: PluginsOptions, place: string): PluginLoadOptions {
  return { pluginOptions, place };
}

function warnOfStrangers(names: readonly string[], active: readonly ActivePlugin[], { service, place }: Context): void {
  for (const name of names) {
    if (active.some((plugin) => plugin.name === name)) continue;
    service.reporter.warn(`${place}: "pluginOptions.${name}" has settings, but no plugin has that name.`);
  }
}

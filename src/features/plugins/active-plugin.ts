import { messageOf, StartError } from "../../base/errors.ts";
import type { Service } from "../../http/contract.ts";
import { createDatabase } from "../../schema/typed-database.ts";
import type { DataChange } from "../../store/data-change.ts";
import { liveFeature } from "../live/feature.ts";
import { makingOf } from "../rules/feature.ts";
import type { LoadedPlugin } from "./load-plugin.ts";
import { placeOf } from "./plugin-failure.ts";
import type { PluginContext } from "./types.ts";

/** A plugin in use: its latest version, and everything that version has opened. */
export class ActivePlugin {
  readonly #service: Service;
  #loaded: LoadedPlugin;
  #closing: (() => unknown)[] = [];

  constructor(loaded: LoadedPlugin, service: Service) {
    this.#loaded = loaded;
    this.#service = service;
  }

  get loaded(): LoadedPlugin {
    return this.#loaded;
  }

  get name(): string {
    return this.#loaded.plugin.name;
  }

  /** Its path as the user wrote it. */
  get source(): string {
    return this.#loaded.source;
  }

  get file(): string | undefined {
    return this.#loaded.file;
  }

  /** Starts everything that runs beside requests. Throws a `StartError` when the plugin's own `open` fails. */
  async open(): Promise<void> {
    const { plugin } = this.#loaded;
    const { store } = this.#service;
    const db: PluginContext["db"] = createDatabase(store, makingOf(this.#service));
    const context: PluginContext = { db, options: this.#loaded.options };
    try {
      const close = await plugin.open?.(context);
      if (typeof close === "function") this.#closing.push(close as () => unknown);
    } catch (thrown) {
      throw new StartError(`The plugin ${placeOf(this.#loaded, thrown)} failed to open: ${messageOf(thrown)}`);
    }
    if (plugin.onChange) this.#closing.push(this.#follow((change) => plugin.onChange?.(change, context)));
  }

  /** Takes another version of the plugin into use. Where that cannot be opened, the old one goes on. */
  async replace(next: LoadedPlugin): Promise<void> {
    const former = { loaded: this.#loaded, closing: this.#closing };
    this.#loaded = next;
    this.#closing = [];
    try {
      await this.open();
    } catch (thrown) {
      this.#loaded = former.loaded;
      this.#closing = former.closing;
      throw thrown;
    }
    await this.#run(former.closing);
  }

  async close(): Promise<void> {
    await this.#run(this.#closing);
    this.#closing = [];
  }

  #follow(hear: (change: DataChange) => unknown): () => void {
    const feed = this.#service.offer(liveFeature)?.changesOf(this.#service.store);
    if (!feed) return () => {};
    return feed.subscribe((text) => {
      Promise.resolve()
        .then(() => hear(JSON.parse(text) as DataChange))
        .catch((thrown: unknown) => this.#report("onChange", thrown));
    });
  }

  async #run(closing: readonly (() => unknown)[]): Promise<void> {
    for (const close of closing) {
      try {
        await close();
      } catch (thrown) {
        this.#report("the function that open returned", thrown);
      }
    }
  }

  #report(part: string, thrown: unknown): void {
    this.#service.reporter.fault(`The plugin ${placeOf(this.#loaded, thrown)} failed in ${part}.`, thrown);
  }
}

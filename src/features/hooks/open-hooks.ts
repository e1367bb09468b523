import { StartError } from "../../base/errors.ts";
import type { OpenFeature } from "../../http/contract.ts";
import type { FeatureContext } from "../feature.ts";
import { liveFeature } from "../live/feature.ts";
import { hookRoutes } from "./hook-routes.ts";
import { type GivenRules, HookRules } from "./hook-rules.ts";
import { Hooks } from "./hooks.ts";
import { JobLog } from "./job-log.ts";
import type { WebhookSender } from "./send.ts";

export async function openHooks({
  service,
  checked,
  place,
}: FeatureContext<unknown, GivenRules | undefined>): Promise<OpenFeature & { offer: Hooks }> {
  const rules = new HookRules(checked ?? { hooks: [], steps: [], targets: [] });
  const { store } = service;
  if (store.jobs && !store.history && !rules.isEmpty) {
    throw new StartError(`${place}: on PostgreSQL, "hooks" and "timeline" need the history, which is off.`);
  }
  const log = rules.isEmpty || service.settings.readOnly ? undefined : store.openLog?.("jobs", () => hooks.noted());
  let sender: WebhookSender | undefined;
  let ownPort: number | undefined;
  const hooks = new Hooks({
    service,
    rules,
    log: log && new JobLog(log),
    async send(outgoing) {
      // Loaded with the first webhook.
      sender ??= new (await import("./send.ts")).WebhookSender();
      sender.ownPort = ownPort;
      return sender.send(outgoing);
    },
    tell: () => service.offer(liveFeature)?.tell("hooks"),
  });
  await hooks.open();
  return {
    name: "hooks",
    routes: hookRoutes(hooks),
    describe: async (facts) => (await import("./openapi.ts")).hookPaths(facts),
    announce(url) {
      const { port, protocol } = new URL(url);
      ownPort = Number(port) || (protocol === "https:" ? 443 : 80);
    },
    stop: () => hooks.stop(),
    async close() {
      await hooks.close();
      sender?.close();
    },
    offer: hooks,
  };
}

import { StartError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { OpenFeature } from "../../http/contract.ts";
import type { FeatureContext } from "../feature.ts";
import { liveFeature } from "../live/feature.ts";
import { hookRoutes } from "./hook-routes.ts";
import { type GivenRules, HookRules } from "./hook-rules.ts";
import { Hooks } from "./hooks.ts";
import { JobLog } from "./job-log.ts";
import { KeptLines } from "./kept-lines.ts";
import { HookProblem, isWebAddress, readHook, readStep } from "./read-hooks.ts";
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
  const openLog = () =>
    store.openLog?.("jobs", () => hooks.noted()) ?? (store.kept && new KeptLines(store.kept, "jobs"));
  const log = rules.isEmpty || service.settings.readOnly ? undefined : openLog();
  let sender: WebhookSender | undefined;
  let ownPort: number | undefined;
  // Loaded with the first webhook.
  const readySender = async (): Promise<WebhookSender> => {
    sender ??= new (await import("./send.ts")).WebhookSender();
    sender.ownPort = ownPort;
    return sender;
  };
  const hooks = new Hooks({
    service,
    rules,
    log: log && new JobLog(log),
    send: async (outgoing) => (await readySender()).send(outgoing),
    refusal: async (address) => (await readySender()).refusal(address),
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

interface GivenOptions {
  readonly hooks: readonly JsonObject[];
  readonly timeline: readonly JsonObject[];
  readonly hookTargets: readonly string[];
}

/** Reads the rules of the config. Throws a `StartError` that names the key. */
export function readGiven({ hooks, timeline, hookTargets }: GivenOptions, place: string): GivenRules {
  const rules = {
    hooks: hooks.map((hook, position) => named(place, `hooks[${position}]`, () => readHook(hook))),
    steps: timeline.map((step, position) => named(place, `timeline[${position}]`, () => readStep(step, position))),
    targets: hookTargets,
  };
  const wrong = hookTargets.find((target) => !isWebAddress(target));
  if (wrong !== undefined) {
    throw new StartError(
      `${place}: "hookTargets" has ${JSON.stringify(wrong)}; expected is an origin such as http://localhost:4000.`,
    );
  }
  const names = [...rules.hooks, ...rules.steps].map(({ name }) => name);
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) throw new StartError(`${place}: two hooks or steps of the timeline are named ${twice}.`);
  return rules;
}

function named<T>(place: string, path: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof HookProblem)) throw thrown;
    throw new StartError(`${place}: "${[path, thrown.key].filter(Boolean).join(".")}" ${thrown.message}`);
  }
}

import { StandinError } from "../../base/errors.ts";
import { stringifyJson } from "../../base/json/json.ts";
import { maskAddress } from "../../base/secrets/mask-text.ts";
import type { Call } from "../../http/call.ts";
import type { RouteRow } from "../../http/contract.ts";
import { jsonReply } from "../../http/response/reply.ts";
import { asObject } from "../../http/routes/carry-out.ts";
import type { KnownHook } from "./hook-rules.ts";
import type { Hooks } from "./hooks.ts";
import { showDelivery, showJob } from "./job.ts";
import { JOB_STATES, type JobState } from "./types.ts";

/** Within a sandbox, these routes concern its own clock, jobs and deliveries. Hooks are the same everywhere. */
export function hookRoutes(hooks: Hooks): RouteRow[] {
  return [
    {
      path: "/__clock",
      isForAdmins: true,
      harmless: ["POST"],
      GET: ({ sandbox }) => jsonReply(JSON.stringify(hooks.clockState(sandbox))),
      POST: async (call) => jsonReply(JSON.stringify(await hooks.turn(call.sandbox, await call.body()))),
    },
    {
      path: "/__jobs",
      isForAdmins: true,
      GET: async (call) => {
        const status = statusOf(call);
        const jobs =
          status === undefined
            ? await hooks.due(call.sandbox)
            : (await hooks.jobs(call.sandbox)).flatMap((job) => (job.state === status ? showJob(job) : []));
        return jsonReply(stringifyJson({ ...hooks.clockState(call.sandbox), jobs }));
      },
    },
    {
      path: "/__deliveries",
      isForAdmins: true,
      GET: async (call) => {
        const [hook, event] = ["hook", "event"].map((name) => call.parameters.get(name)?.[0]);
        const filter = { ...(hook !== undefined && { hook }), ...(event !== undefined && { event }) };
        const status = statusOf(call);
        const deliveries = await hooks.deliveries(call.sandbox, { ...filter, ...(status !== undefined && { status }) });
        return jsonReply(stringifyJson({ deliveries }));
      },
    },
    {
      path: "/__deliveries/:id",
      isForAdmins: true,
      GET: async ({ sandbox }, _service, { id = "" }) =>
        jsonReply(stringifyJson(showDelivery(await hooks.delivery(sandbox, id)))),
    },
    {
      path: "/__deliveries/:id/redeliver",
      isForAdmins: true,
      POST: async ({ sandbox }, _service, { id = "" }) => {
        return { status: 202, json: stringifyJson(await hooks.redeliver(sandbox, id)) };
      },
    },
    {
      path: "/__hooks",
      isForAdmins: true,
      GET: async () => {
        const { steps, targets } = hooks.rules;
        const timeline = steps.map(({ name, step }) => ({ ...step, name }));
        const all = await Promise.all(hooks.rules.hooks.map((hook) => shown(hooks, hook)));
        return jsonReply(stringifyJson({ hooks: all, timeline, targets }));
      },
      POST: async (call) => {
        const body = await call.body();
        return { status: 201, json: stringifyJson(await shown(hooks, await hooks.rule((rules) => rules.add(body)))) };
      },
    },
    {
      path: "/__hooks/:name",
      isForAdmins: true,
      GET: async (_call, _service, { name = "" }) =>
        jsonReply(stringifyJson(await shown(hooks, hooks.rules.get(name)))),
      PATCH: async (call, _service, { name = "" }) => {
        const keys = asObject(await call.body());
        return jsonReply(stringifyJson(await shown(hooks, await hooks.rule((rules) => rules.change(name, keys)))));
      },
      DELETE: async (_call, _service, { name = "" }) => {
        await hooks.rule((rules) => rules.remove(name));
        return jsonReply("{}");
      },
    },
  ];
}

function statusOf({ parameters }: Call): JobState | undefined {
  const text = parameters.get("status")?.[0];
  const status = JOB_STATES.find((one) => one === text);
  if (text === undefined || status) return status;
  throw new StandinError("QUERY_INVALID", `status=${text}: allowed values are ${JOB_STATES.join(", ")}.`);
}

/** A hook without its secrets, and a warning if its deliveries will be refused. */
async function shown(hooks: Hooks, known: KnownHook): Promise<object> {
  const { hook, isOff, isGiven } = known;
  const { sign, ...rest } = hook;
  const to = hook.to === undefined ? {} : { to: maskAddress(hook.to) };
  const warning = await hooks.problemOf(known);
  return {
    ...rest,
    ...to,
    ...(sign && { sign: { as: sign.as } }),
    ...(isOff && { off: true }),
    given: isGiven,
    ...(warning !== undefined && { warning }),
  };
}

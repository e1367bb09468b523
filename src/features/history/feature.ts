import { StartError } from "../../base/errors.ts";
import type { OptionTable } from "../../base/option.ts";
import { historyLimits } from "../../store/history.ts";
import { defineFeature } from "../feature.ts";
import { serveHistory } from "./serve-history.ts";

const OPTIONS = {
  history: {
    name: "history",
    type: "string",
    takesNumbers: true,
    default: "1000",
    placeholder: "<limit>",
    help: "Versions of the data to keep: a number of changes, an age (30d), or off",
  },
} as const satisfies OptionTable;

/** Every change as a version that can be seen, visited and reverted. */
export const historyFeature = defineFeature({
  name: "history",
  options: OPTIONS,
  needsData: true,
  reserves: ["__history", "__at"],
  off: {
    code: "HISTORY_OFF",
    message: "The history is switched off here. Start without --history off to keep one.",
  },
  // A request for the past must never be served from the present, not even while there is no history.
  guard: {
    name: "no history",
    visit: async (call, service, route) => (await import("./visit.ts")).refusePast(call, service, route),
  },
  isOn: ({ history }) => history !== "off",
  check({ history }) {
    const limits = historyLimits(history);
    if (limits) return limits;
    throw new StartError(
      `history: ${JSON.stringify(history)}; expected is a number of changes such as 1000, an age such as 30d, or off.`,
    );
  },
  prepare: (data, limits) => ({ ...data, options: { ...data.options, history: { ...limits, clock: data.clock } } }),
  open: (context) => serveHistory(context),
});

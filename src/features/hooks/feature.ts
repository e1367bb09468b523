import type { OptionTable } from "../../base/option.ts";
import { defineFeature } from "../feature.ts";
import { openHooks, readGiven } from "./open-hooks.ts";

const OPTIONS = {
  hooks: {
    name: "hooks",
    type: "objects",
    help: "Webhooks: signed requests to other programs after changes",
    only: "file",
  },
  timeline: {
    name: "timeline",
    type: "objects",
    help: "Changes that follow others after a while",
    only: "file",
  },
  hookTargets: {
    name: "hookTargets",
    type: "strings",
    help: "Origins that subscribers, and hooks added over HTTP, may name: http://localhost:4000",
    only: "file",
  },
} as const satisfies OptionTable;

/** Webhooks, changes that follow others, and the clock that both go by. */
export const hooksFeature = defineFeature({
  name: "hooks",
  options: OPTIONS,
  needsData: true,
  reserves: ["__clock", "__jobs", "__deliveries", "__hooks"],
  check({ hooks = [], timeline = [], hookTargets = [] }, { place }) {
    if (hooks.length === 0 && timeline.length === 0 && hookTargets.length === 0) return undefined;
    return readGiven({ hooks, timeline, hookTargets }, place);
  },
  prepare: (data, rules) =>
    rules && rules.hooks.length + rules.steps.length > 0
      ? { ...data, options: { ...data.options, jobsBy: data.clock } }
      : data,
  open: openHooks,
});

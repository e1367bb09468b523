import { StandinError } from "../../base/errors.ts";
import { defineFeature } from "../feature.ts";

const OFF = {
  code: "OPTION_UNAVAILABLE",
  message: 'The clock and the timeline need the whole worker: import "standin/worker".',
} as const;

/** The door of the feature where a worker has no room for it. */
export const hooksFeature = defineFeature({
  name: "hooks",
  options: { timeline: { name: "timeline", type: "objects", help: "", only: "file" } },
  reserves: ["__clock", "__jobs", "__deliveries", "__hooks"],
  off: OFF,
  isOn: ({ timeline }) => timeline !== undefined,
  open() {
    throw new StandinError(OFF.code, OFF.message);
  },
});

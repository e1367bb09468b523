import { StandinError } from "../../base/errors.ts";
import { andThen } from "../../base/eventually.ts";
import { defineFeature } from "../feature.ts";
import { isAtField } from "./at-field.ts";

const OFF = { code: "HISTORY_OFF", message: "A worker keeps no history." } as const;

/** A page loads its worker before its first response, so that has no room for the past: requests for it are refused. */
export const historyFeature = defineFeature({
  name: "history",
  options: {},
  reserves: ["__history", "__at"],
  off: OFF,
  guard: {
    name: "no history",
    visit: (call, service, route) =>
      andThen(isAtField(call, service.store), (isField) => {
        if (!isField) throw new StandinError(OFF.code, OFF.message);
        return route(call, service);
      }),
  },
  isOn: () => false,
  open: () => ({ name: "history" }),
});

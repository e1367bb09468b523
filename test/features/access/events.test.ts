import { describeEvents, NOTES_DATA } from "./events-suite.ts";
import { storeOf } from "./guarded-server.ts";

describeEvents("in memory", {
  hasSandboxes: true,
  open: async () => {
    const store = storeOf(NOTES_DATA);
    return { store, close: () => store.close() };
  },
});

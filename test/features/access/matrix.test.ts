import { storeOf } from "./guarded-server.ts";
import { describeMatrix } from "./leak-matrix.ts";
import { DATA } from "./matrix-data.ts";

describeMatrix("in memory", {
  open: async () => {
    const store = storeOf(DATA);
    return { store, close: () => store.close() };
  },
});

import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { describeMatrix } from "../features/access/leak-matrix.ts";
import { DATA } from "../features/access/matrix-data.ts";
import { createStore } from "./database.ts";

describeMatrix("in PostgreSQL", {
  open: async () => {
    const opened = await createStore();
    await opened.store.data.replace(incomingMembers(DATA), true);
    return opened;
  },
});

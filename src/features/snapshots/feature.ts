import type { OptionTable } from "../../base/option.ts";
import { defineFeature } from "../feature.ts";

/** In place of a folder: snapshots live as long as the process. */
export const IN_MEMORY = ":memory:";

const OPTIONS = {
  snapshots: {
    name: "snapshots",
    aliases: ["S"],
    type: "string",
    placeholder: "<folder>",
    help: "Folder to save snapshots in; turns them on",
  },
} as const satisfies OptionTable;

/** Saves the data under a name, and puts it back. */
export const snapshotsFeature = defineFeature({
  name: "snapshots",
  options: OPTIONS,
  needsData: true,
  reserves: ["__snapshots__"],
  off: {
    code: "SNAPSHOTS_OFF",
    message:
      'No snapshot folder is configured. Start with --snapshots <folder>, or set "snapshots" in the config file.',
  },
  isOn: ({ snapshots }, { isShared }) => isShared || snapshots !== undefined,
  async check({ snapshots }, { isShared, note }) {
    if (snapshots === undefined || snapshots === IN_MEMORY || isShared) return;
    (await import("./open-snapshots.ts")).checkFolder(snapshots, note);
  },
  async open({ options: { snapshots }, service }) {
    const { openSnapshots } = await import("./open-snapshots.ts");
    return openSnapshots(service, snapshots === IN_MEMORY ? undefined : snapshots);
  },
});

/** For work on snapshots without a server. */
export const loadFolderSnapshots = () => import("./folder-snapshots.ts");
export const loadDatabaseSnapshots = () => import("./database-snapshots.ts");

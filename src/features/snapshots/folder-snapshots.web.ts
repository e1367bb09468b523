import { StandinError } from "../../base/errors.ts";

/** Without files, snapshots stay in memory. */
export class Snapshots {
  constructor(folder: string) {
    throw new StandinError("OPTION_UNAVAILABLE", `snapshots: there are no folders here, so not ${folder} either.`);
  }
}

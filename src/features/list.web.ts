import { accessFeature } from "./access/feature.ts";
import { batchFeature } from "./batch/feature.ts";
import { consoleFeature } from "./console/feature.ts";
import { descriptionFeature } from "./description/feature.ts";
import { dialectFeature } from "./dialect/feature.ts";
import { faultsFeature } from "./faults/feature.ts";
import { filesFeature } from "./files/feature.ts";
import { historyFeature } from "./history/feature.ts";
import { hooksFeature } from "./hooks/feature.ts";
import { liveFeature } from "./live/feature.ts";
import { collectionsFeature } from "./members/feature.ts";
import { pluginsFeature } from "./plugins/feature.ts";
import { rulesFeature } from "./rules/feature.ts";
import { sandboxesFeature } from "./sandboxes/feature.ts";
import { signInFeature } from "./sign-in/feature.ts";
import { snapshotsFeature } from "./snapshots/feature.ts";

/** Those that need no files, no documents and no agents. */
export const FEATURES = [
  consoleFeature,
  liveFeature,
  snapshotsFeature,
  sandboxesFeature,
  historyFeature,
  collectionsFeature,
  signInFeature,
  accessFeature,
  faultsFeature,
  hooksFeature,
  filesFeature,
  descriptionFeature,
  batchFeature,
  rulesFeature,
  pluginsFeature,
  dialectFeature,
] as const;

export const FEATURE_OPTIONS = Object.assign({}, ...FEATURES.map(({ options }) => options));

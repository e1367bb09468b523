import { accessFeature } from "./access/feature.ts";
import { agentsFeature } from "./agents/feature.ts";
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
import { documentFeature } from "./openapi-source/feature.ts";
import { pluginsFeature } from "./plugins/feature.ts";
import { recordFeature } from "./record/feature.ts";
import { rulesFeature } from "./rules/feature.ts";
import { sandboxesFeature } from "./sandboxes/feature.ts";
import { signInFeature } from "./sign-in/feature.ts";
import { snapshotsFeature } from "./snapshots/feature.ts";

/** Every feature. To add one is to add its folder, and a line here. */
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
  documentFeature,
  dialectFeature,
  agentsFeature,
  recordFeature,
] as const;

type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type FeatureOptions = AllOf<(typeof FEATURES)[number]["options"]>;

/** The option rows of all features, in the order of the list. */
export const FEATURE_OPTIONS: FeatureOptions = Object.assign({}, ...FEATURES.map(({ options }) => options));

import type { FeatureStart } from "../feature.ts";
import { refuseForms } from "./refuse-forms.ts";

const MESSAGE =
  "Files of data in PostgreSQL need a folder that all of its servers share. Start with --files <folder>, or send JSON.";

/** The door of the feature where the data is shared with other servers, and no folder is. */
export const WITHOUT_FILES = {
  off: { code: "FILES_OFF", message: MESSAGE },
  guard: refuseForms(MESSAGE),
  isOn: ({ files }: { readonly files?: string | undefined }, { isShared }: FeatureStart) =>
    !isShared || files !== undefined,
} as const;

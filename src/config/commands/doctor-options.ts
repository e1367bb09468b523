import type { OptionTable, Values } from "../../base/option.ts";
import { withDefaults } from "../defaults.ts";
import { parseFlags } from "../flags.ts";
import { SERVE_OPTIONS } from "../options.ts";
import type { WithWords } from "../with-server-file.ts";
import { FORMAT_OPTION } from "./format-option.ts";

/** The options of `standin doctor`. */
export const DOCTOR_OPTIONS = {
  format: FORMAT_OPTION,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type DoctorOptions = Values<typeof DOCTOR_OPTIONS>;

export function resolveDoctorOptions(argv: readonly string[]): WithWords<DoctorOptions> {
  const { values, positionals } = parseFlags(argv, DOCTOR_OPTIONS);
  return { options: withDefaults(DOCTOR_OPTIONS, values), words: positionals };
}

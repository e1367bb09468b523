/** `--format` of the commands that report to people and to programs. */
export const FORMAT_OPTION = {
  name: "format",
  type: "string",
  default: "text",
  choices: ["text", "json"],
  placeholder: "<format>",
  help: "Output format",
  only: "flag",
} as const;

/** The names that sandboxes may have, as attributes of an input. */
export const NAME_INPUT = {
  pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]{0,99}",
  title: "Letters, digits, dots, dashes and underscores",
  autocomplete: "off",
} as const;

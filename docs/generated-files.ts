import {
  DOCTOR_OPTIONS,
  EXPLAIN_OPTIONS,
  GENERATE_OPTIONS,
  HOSTED_EXPORT_OPTIONS,
  HOSTED_OPTIONS,
  SECRET_OPTIONS,
  SERVE_OPTIONS,
  SNAPSHOTS_OPTIONS,
  TRANSFER_OPTIONS,
  TYPES_OPTIONS,
} from "../src/config/options.ts";
import { referenceTable } from "../src/config/reference.ts";
import { configSchema } from "../src/config/schema.ts";
import { ERRORS } from "../src/errors.ts";

/** The files of the repository that are made from code, by path. A test compares them with what is committed. */
export function generatedFiles(): Record<string, string> {
  return {
    "schema.json": schemaText(),
    "docs/reference/options.md": optionsPage(),
    "docs/reference/errors.md": errorsPage(),
  };
}

/** In the layout that the formatter wants: lists of texts on one line. */
function schemaText(): string {
  const text = JSON.stringify(configSchema(SERVE_OPTIONS), null, 2);
  const inOneLine = text.replace(
    /\[\s+("[^"]*"(?:,\s+"[^"]*")*)\s+\]/g,
    (_list, texts) => `[${texts.replace(/\s+/g, " ")}]`,
  );
  return `${inOneLine}\n`;
}

function optionsPage(): string {
  return `# Options

<!-- Made by \`npm run docs\` from src/config/options.ts. -->

Flags beat the config file, and the file beats the defaults. The config file is the one named by \`--config\`, else
\`standin.json\`, else \`json-server.json\` in the current folder. Names may be written with dashes or in camel case;
aliases work with two dashes and as keys, too. In the file, \`"3000"\` is a number, \`"true"\` a switch, and one text a
list of one. An unknown flag is ignored with a warning, or stops the start where it looks like a known one. An unknown key is ignored with a warning that names the nearest known one; a value of the wrong type stops the start.

Editors complete and check the file when it begins with \`"$schema": "./node_modules/standin/schema.json"\`.

## standin [source]

${referenceTable(SERVE_OPTIONS)}

## standin generate [file]

${referenceTable(GENERATE_OPTIONS)}

## standin hosted [file]

The file is a Postman collection, an OpenAPI document or a list of examples. The config file counts here, too; what it
says of data is passed over.

${referenceTable(HOSTED_OPTIONS)}

## standin hosted export

${referenceTable(HOSTED_EXPORT_OPTIONS)}

## standin snapshots list | save [name] | restore <id>

${referenceTable(SNAPSHOTS_OPTIONS)}

## standin import <file> <postgres://...>, standin export <postgres://...> <file>

${referenceTable(TRANSFER_OPTIONS)}

## standin explain <query> [source]

${referenceTable(EXPLAIN_OPTIONS)}

## standin types [source]

${referenceTable(TYPES_OPTIONS)}

## standin doctor [folder]

${referenceTable(DOCTOR_OPTIONS)}

## standin secret password | api-key | token

${referenceTable(SECRET_OPTIONS)}
`;
}

function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`);
  return `# Errors

<!-- Made by \`npm run docs\` from src/errors.ts. -->

Every error has a JSON body with \`error\` (a short title), \`message\` (what to change) and \`code\`. Codes never change
their meaning; branch on them, not on messages.

| code | status | error |
|---|---|---|
${rows.join("\n")}
`;
}

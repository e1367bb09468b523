/** Writes what is made from the tables of options, errors and operators. */
import { writeFileSync } from "node:fs";
import { generatedFiles } from "./generated-files.ts";

for (const [file, text] of Object.entries(generatedFiles())) writeFileSync(file, text);

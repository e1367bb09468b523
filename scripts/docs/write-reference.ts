/** Writes what is made from the tables of options: the reference page and the JSON Schema of the config file. */
import { writeFileSync } from "node:fs";
import { generatedFiles } from "./generated-files.ts";

for (const [file, text] of Object.entries(generatedFiles())) writeFileSync(file, text);

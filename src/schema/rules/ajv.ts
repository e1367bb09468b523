import { Ajv2020 } from "ajv/dist/2020.js";

/** The JSON Schema validator. The build bundles it into a file of its own, which is loaded on first use. */
export const ajv = { Ajv2020 };

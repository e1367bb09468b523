import type { OptionTable } from "../../base/option.ts";
import { BIND_SCHEMA } from "../../openapi/bind/config/bind-schema.ts";
import { defineFeature } from "../feature.ts";

const OPTIONS = {
  data: {
    name: "data",
    type: "string",
    placeholder: "<source>",
    help: "Data behind an OpenAPI document; without it, writes stay in memory",
  },
  validate: {
    name: "validate",
    type: "string",
    default: "on",
    choices: ["on", "warn", "off"],
    bare: "on",
    placeholder: "<mode>",
    help: "Reject requests that do not match an OpenAPI document; warn only logs",
  },
  validateSecurity: {
    name: "validateSecurity",
    flag: "validate-security",
    type: "boolean",
    default: false,
    help: "Reject requests without the credentials that an OpenAPI document requires",
  },
  allowOutsideRefs: {
    name: "allowOutsideRefs",
    flag: "allow-outside-refs",
    type: "boolean",
    default: false,
    help: "Let a document refer to files outside its folder and to private hosts",
  },
  bind: {
    name: "bind",
    type: "object",
    help: "Corrections to the collections found in an OpenAPI document",
    schema: BIND_SCHEMA,
    only: "file",
  },
} as const satisfies OptionTable;

/** Tells what led to the guesses of binding. */
export const loadEvidence = async () => (await import("./evidence.ts")).evidenceFor;

/** The name under which programs and commands hand over a `GivenDocument`. */
export const DOCUMENT = "document";

export interface GivenDocument {
  readonly file: string;
  /** Whether a program hands over the data itself. */
  readonly hasData?: boolean;
}

/** An OpenAPI document as a living API: its operations read and write a store. */
export const documentFeature = defineFeature({
  name: "document",
  options: OPTIONS,
  isOn: (_options, { given }) => given[DOCUMENT] !== undefined,
  async check(options, { given, place }) {
    const { ServedDocument } = await import("./served-document.ts");
    const { readBindOverrides } = await import("../../openapi/bind/config/overrides.ts");
    const { source, memory, seed = 1 } = options as typeof options & Sourced;
    const { validate, validateSecurity, allowOutsideRefs, bind } = options;
    const { file, hasData = false } = given[DOCUMENT] as GivenDocument;
    return ServedDocument.load({
      file,
      hasData,
      source,
      memory,
      seed,
      validate,
      validateSecurity,
      allowOutsideRefs,
      bind: readBindOverrides(bind, place),
    });
  },
  prepare: (data, served) => served.prepare(data),
  async open(context) {
    return (await import("./open-document.ts")).openDocument(context);
  },
});

/** Options of the server itself. */
interface Sourced {
  readonly source: string;
  readonly memory: boolean;
  readonly seed?: number;
}

import { StartError } from "../../base/errors.ts";
import type { OptionTable } from "../../base/option.ts";
import { defineFeature } from "../feature.ts";
import { DOCUMENT, type GivenDocument } from "../openapi-source/feature.ts";
import type { GivenRecording } from "./given-recording.ts";

const OPTIONS = {
  fallback: {
    name: "fallback",
    type: "string",
    placeholder: "<url>",
    help: "Real API that responds to reads of paths that are not served here",
  },
  fallbackWrites: {
    name: "fallbackWrites",
    flag: "fallback-writes",
    type: "boolean",
    default: false,
    help: "Let --fallback send writes to the real API, too",
  },
  upstream: {
    name: "upstream",
    type: "string",
    placeholder: "<url>",
    help: "Real API that responds to everything, judged by the OpenAPI document",
  },
  header: {
    name: "header",
    type: "strings",
    isOneEach: true,
    placeholder: "<header>",
    help: 'Header for the real API only, such as "Authorization: {env:TOKEN}"; repeatable',
    hasEnvironment: true,
  },
  origin: {
    name: "origin",
    type: "strings",
    isOneEach: true,
    placeholder: "<origin>",
    help: "Pages that may use the real API through standin besides local ones; repeatable",
  },
  insecure: {
    name: "insecure",
    type: "boolean",
    default: false,
    help: "Accept a certificate of the real API that cannot be verified",
  },
} as const satisfies OptionTable;

/** The name under which a command hands over a `GivenRecording`. */
export const RECORDING = "recording";

export type { GivenRecording } from "./given-recording.ts";
export { RECORDED } from "./recorded-mark.ts";

export const loadRecorder = async () => (await import("./recorder.ts")).Recorder;
export const loadRedactor = async () => (await import("./redact/redactor.ts")).Redactor;
export const loadArchives = () => import("./read-har.ts");

/** Takes responses from a real API: all of them, or those that are not here; and records it. */
export const recordFeature = defineFeature({
  name: "record",
  options: OPTIONS,
  reserves: ["__record"],
  off: { code: "ROUTE_NOT_FOUND", message: "Nothing is being recorded. Start standin record <url> to record an API." },
  isOn: ({ fallback, upstream }) => fallback !== undefined || upstream !== undefined,
  async check(options, { given }) {
    const { fallback, upstream, source } = options as typeof options & { readonly source: string };
    const document = given[DOCUMENT] as GivenDocument | undefined;
    const hasData = document !== undefined && (source !== "" || document.hasData === true);
    if (upstream !== undefined && (fallback !== undefined || hasData)) {
      const other = fallback === undefined ? "--data" : "--fallback";
      throw new StartError(
        `--upstream takes every response from ${upstream}, so ${other} would have no effect. Remove one.`,
      );
    }
    const recording = given[RECORDING] as GivenRecording | undefined;
    if (upstream !== undefined && !recording && document === undefined) {
      throw new StartError(
        "--upstream judges traffic by an OpenAPI document: standin api.yaml --upstream <url>. To take only what is missing from the real API, use --fallback.",
      );
    }
    return (await import("./open-record.ts")).checkRecord(options, recording);
  },
  async open(context) {
    return (await import("./open-record.ts")).openRecord(context);
  },
});

export type { Drift, DriftFinding } from "./drift/drift.ts";
export { isBreaking } from "./drift/drift.ts";

/** Compares an API with its recording. */
export async function loadDrift() {
  const { driftOfApi, driftOfArchive, updatedDocument } = await import("./drift/run-drift.ts");
  return { driftOfApi, driftOfArchive, updatedDocument };
}

import { openService } from "../app/open-service.ts";
import { StartError } from "../base/errors.ts";
import type { OptionTable } from "../base/option.ts";
import { withDefaults } from "../config/defaults.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { type GivenRecording, RECORDING } from "../features/record/feature.ts";
import { openStore } from "../store/open-store.ts";
import { networkAddresses, printStart } from "./banner.ts";
import { defineCommand } from "./define-command.ts";
import { openRecorder, printRecording, recordArchive } from "./recording.ts";
import { runService } from "./run-service.ts";
import { outliveOutput } from "./signals.ts";
import { createReporter } from "./terminal.ts";

const OPTIONS = {
  out: {
    name: "out",
    aliases: ["o"],
    type: "string",
    default: "recording",
    placeholder: "<folder>",
    help: "Folder for api.json and data.json; one that is there is updated",
    only: "flag",
  },
  port: SERVE_OPTIONS.port,
  host: SERVE_OPTIONS.host,
  include: {
    name: "include",
    type: "strings",
    isOneEach: true,
    placeholder: "<path>",
    help: 'Record only these paths, such as "/v1/*"; repeatable',
    only: "flag",
  },
  exclude: {
    name: "exclude",
    type: "strings",
    isOneEach: true,
    placeholder: "<path>",
    help: 'Do not record these paths, such as "/v1/metrics*"; repeatable',
    only: "flag",
  },
  redact: {
    name: "redact",
    type: "strings",
    placeholder: "<fields>",
    help: "Fields to redact besides secrets, such as email,phone",
    only: "flag",
  },
  header: SERVE_OPTIONS.header,
  origin: SERVE_OPTIONS.origin,
  insecure: SERVE_OPTIONS.insecure,
  from: {
    name: "from",
    type: "string",
    placeholder: "<file>",
    help: "Read an HTTP archive (HAR) of a browser, Playwright or Charles instead of traffic",
    only: "flag",
  },
  har: { name: "har", type: "string", placeholder: "<file>", help: "Also write an HTTP archive (HAR)", only: "flag" },
  overwrite: {
    name: "overwrite",
    type: "boolean",
    default: false,
    help: "Replace what is in the folder, instead of updating a recording",
    only: "flag",
  },
  allowedHosts: SERVE_OPTIONS.allowedHosts,
  quiet: SERVE_OPTIONS.quiet,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** `standin record https://api.test`: passes requests on to a real API, and makes a mock of what it sees. */
export const recordCommand = defineCommand({
  name: "record",
  usage: "<url>",
  summary: "record a real API as an OpenAPI document with data",
  help: [
    "standin record <url> [options]        pass requests on to a real API, and record them until Ctrl+C",
    "standin record --from capture.har     record the traffic of an HTTP archive",
    "",
    "Point your app at the address that is printed, and use it once. The folder then has api.json, an OpenAPI document,",
    "and data.json, the records that were seen: standin serves them with POST, PATCH and DELETE. Passwords, tokens,",
    "cookies and other secrets are replaced before anything is kept.",
  ],
  examples: [
    "standin record https://api.test --out shop",
    'standin record https://api.test --include "/v1/*" --header "Authorization: Bearer {env:TOKEN}"',
    "standin record --from capture.har --out shop",
    "standin shop/api.json --data shop/data.json",
  ],
  options: OPTIONS,
  async run({ options, words: [address, ...extra], terminal }) {
    if (extra.length > 0) throw new StartError(`record takes one address; ignored would be ${extra.join(", ")}.`);
    if (options.from !== undefined) return recordArchive(options, address, terminal);
    if (address === undefined) {
      throw new StartError(
        "record needs the address of an API, such as standin record https://api.test, or --from capture.har.",
      );
    }
    outliveOutput();
    const reporter = createReporter(terminal, options.quiet);
    const { recorder, save } = await openRecorder(address, options);
    const given: GivenRecording = { recorder, save, stop: () => serving.stop() };
    const served = withDefaults(SERVE_OPTIONS, { ...options, upstream: address, memory: true, traffic: undefined });
    const serving = await runService({
      options: served,
      terminal,
      reporter,
      notes: [],
      services: [
        {
          open: () =>
            openService(served, {
              reporter,
              place: "the command line",
              given: { [RECORDING]: given },
              openData: (opening) => openStore({}, opening),
              settings: { jsonp: false },
            }),
        },
      ],
      announce: ([service], url) => {
        if (!service) return;
        const network = networkAddresses(options.host, url);
        const said = [
          ["Saved to", `${options.out}/api.json and ${options.out}/data.json, at the end`],
          ["Redacted", "passwords, tokens, cookies and other secrets, before anything is kept"],
          ["Console", `${url}/__console#/record`],
          ["Stop", `Ctrl+C, or curl -X POST ${url}/__record`],
        ] as const;
        const lines = [`  Recording ${recorder.origin}. Point your app at ${url}.`];
        printStart(terminal, { url, network, steps: service.steps, rewrites: {} }, { lines, said });
      },
    });
    serving.atEnd(async () => {
      recorder.stop();
      const saved = await save();
      if (!options.quiet) printRecording(terminal, recorder.summary(), saved);
    });
  },
});

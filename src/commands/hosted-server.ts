import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Baseline } from "../app/baseline.ts";
import { type Followed, followedFile } from "../app/follow-changes.ts";
import { openService } from "../app/open-service.ts";
import { messageOf, StartError } from "../base/errors.ts";
import type { Reporter } from "../base/reporter.ts";
import { withDefaults } from "../config/defaults.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { liveFeature } from "../features/live/feature.ts";
import { ExamplesResponder } from "../hosted/examples-responder.ts";
import { Hosted } from "../hosted/hosted.ts";
import { type LoadOptions, loadExamples } from "../hosted/load.ts";
import { MockFolder } from "../hosted/mock-folder.ts";
import type { LatestRequests } from "../hosted/mock-index.ts";
import { Mocks } from "../hosted/mocks.ts";
import type { ShownRequest } from "../hosted/page/start-page.ts";
import { privateGuard, readyKeys } from "../hosted/private.ts";
import { Routes } from "../hosted/routes.ts";
import { parseTarget } from "../http/call.ts";
import type { Service } from "../http/contract.ts";
import type { Edge, LayerStep } from "../http/edge.ts";
import { openStore } from "../store/open-store.ts";
import type { HostedOptions } from "./hosted-options.ts";

/** The examples of a server, from one file or from a folder of them. */
interface HostedSource {
  readonly mocks: Mocks;
  /** For `--watch`. */
  follow(edge: Edge, baseline: Baseline): Followed[];
}

interface HostedStart {
  readonly options: HostedOptions;
  readonly configFile: string | undefined;
  readonly reporter: Reporter;
  readonly note: (text: string) => void;
}

/** Reads the file or folder of examples; without one, the built-in examples. */
export function openHostedSource(
  file: string | undefined,
  options: HostedOptions,
  reporter: Reporter,
): Promise<HostedSource> {
  const isFolder = file !== undefined && statSync(file, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? openHostedFolder(file, options, reporter) : openHostedFile(file, options, reporter);
}

/** Opens the service of `standin [source]` with examples in place of data. */
export function openHostedService(
  mocks: Mocks,
  { options, configFile, reporter, note }: HostedStart,
): Promise<Service> {
  const { seed: _ofExamples, validate: _ofDocument, maxBodyBytes, ...shared } = options;
  return openService(withDefaults(SERVE_OPTIONS, { ...shared, memory: true }), {
    reporter,
    place: configFile ?? "standin.json",
    note,
    responder: new ExamplesResponder(mocks, latestRequests),
    openData: (given) => openStore({}, given),
    guard: guardOf(mocks, options, reporter),
    settings: { jsonp: false, maxBodyBytes },
  });
}

/** Undefined where requests are not kept. */
function latestRequests(service: Service): LatestRequests | undefined {
  const traffic = service.offer(liveFeature)?.traffic;
  return (
    traffic &&
    ((count, isShown) => {
      const shown = traffic.list(count, undefined, { isShown });
      return shown.map((text) => JSON.parse(text) as ShownRequest).reverse();
    })
  );
}

/** Checks API keys where a mock is private, or may become so. */
function guardOf(mocks: Mocks, { watch }: HostedOptions, { warn }: Reporter): LayerStep | undefined {
  const mayNeedKey = mocks.list.some(({ keys }) => keys) || (watch && !mocks.only);
  if (!mayNeedKey) return undefined;
  const layer = privateGuard(({ url }) => mocks.find(parseTarget(url).path)?.mock.keys, warn);
  return { kind: "layer", name: "private", layer };
}

/** Opens a file of examples; without one, the built-in examples. */
async function openHostedFile(
  file: string | undefined,
  options: HostedOptions,
  reporter: Reporter,
): Promise<HostedSource> {
  const load = () => loadExamples(file, loadOptionsOf(options, reporter));
  const { kind, examples, unanswered, notes, otherFiles = [] } = await load();
  const hosted = new Hosted(new Routes(examples, !options.noCors), unanswered);
  const reload = async (): Promise<void> => {
    const fresh = await load();
    hosted.routes = new Routes(fresh.examples, !options.noCors);
    hosted.unanswered = fresh.unanswered ?? [];
  };
  const keys = options.private ? readyKeys(options.apiKey ?? []) : undefined;
  const source = file === undefined ? kind : `${file} (${kind})`;
  return {
    mocks: new Mocks([{ name: "", source, hosted, keys, notes }]),
    follow: (edge, baseline) =>
      [file, options.environment, ...otherFiles].flatMap((followed) =>
        followed === undefined ? [] : followedFile({ file: followed, edge, baseline, content: "examples", reload }),
      ),
  };
}

/** Opens a folder of mocks. */
async function openHostedFolder(folder: string, options: HostedOptions, reporter: Reporter): Promise<HostedSource> {
  const keys = options.private ? options.apiKey : undefined;
  const read = new MockFolder(folder, { ...loadOptionsOf(options, reporter), hasCors: !options.noCors, keys });
  const mocks = new Mocks([]);
  const take = ({ mocks: list, skipped }: Awaited<ReturnType<MockFolder["read"]>>): void => {
    mocks.list = list;
    mocks.skipped = skipped;
  };
  take(await read.read());
  // With --watch, files may come later.
  if (mocks.list.length === 0 && !options.watch) {
    const skipped = mocks.skipped.map((text) => `\n  ${text}`).join("");
    throw new StartError(`The folder ${folder} contains no file of examples.${skipped}`);
  }
  return {
    mocks,
    follow: (edge) => {
      const followed = followedFolder(read, edge, take);
      const others = new Set(read.otherFiles.map((file) => dirname(resolve(file))));
      others.delete(followed.folder);
      // Its check looks at all files.
      return [followed, ...[...others].map((other) => ({ folder: other, files: () => [], check: async () => {} }))];
    },
  };
}

function loadOptionsOf(options: HostedOptions, { warn }: Reporter): LoadOptions {
  const { seed, environment, allowOutsideRefs, validate } = options;
  const validation = validate === "on" || validate === "warn" ? ({ mode: validate, warn } as const) : undefined;
  return { seed, environment, allowOutsideRefs, validation };
}

function followedFolder(
  read: MockFolder,
  { reporter }: Edge,
  take: (content: Awaited<ReturnType<MockFolder["read"]>>) => void,
): Followed {
  let lastProblem = "";
  return {
    folder: resolve(read.folder),
    files: () => read.files(),
    check: async () => {
      try {
        take(await read.read(reporter));
        lastProblem = "";
      } catch (thrown) {
        const problem = messageOf(thrown);
        if (problem !== lastProblem) reporter.warn(`Kept the current mocks: ${problem}`);
        lastProblem = problem;
      }
    },
  };
}

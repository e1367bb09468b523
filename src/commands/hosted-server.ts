import { statSync } from "node:fs";
import { openService } from "../app/open-service.ts";
import type { Reporter } from "../base/reporter.ts";
import { withDefaults } from "../config/defaults.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { liveFeature } from "../features/live/feature.ts";
import { ExamplesResponder } from "../hosted/examples-responder.ts";
import type { LatestRequests } from "../hosted/mock-index.ts";
import type { Mocks } from "../hosted/mocks.ts";
import type { ShownRequest } from "../hosted/page/start-page.ts";
import { privateGuard } from "../hosted/private.ts";
import { parseTarget } from "../http/call.ts";
import type { Service } from "../http/contract.ts";
import type { LayerStep } from "../http/edge.ts";
import { openStore } from "../store/open-store.ts";
import type { HostedOptions } from "./hosted-options.ts";
import { type HostedSource, openHostedFile, openHostedFolder } from "./hosted-sources.ts";

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

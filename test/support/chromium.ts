import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** Where a Chromium may be installed. One without windows comes first: it needs half the time. */
const INSTALLED = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];
/** Playwright's own list for 1.57: of several such flags the last one counts. */
const OFF_FOR_PLAYWRIGHT = [
  "AcceptCHFrame",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "DialMediaRouteProvider",
  "GlobalMediaControls",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "Translate",
  "AutoDeElevate",
  "RenderDocument",
  "OptimizationHints",
];
/** The pages behind the address bar: loaded for every window, shown by none, and dearer than the page under test. */
const ADDRESS_BAR = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];

/** A process that is started ahead for a site that no test opens. */
const SPARE = ["SpareRendererForSitePerProcess"];

export const FLAGS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  // One process less to talk to: a twentieth of the time.
  "--in-process-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${[...OFF_FOR_PLAYWRIGHT, ...ADDRESS_BAR, ...SPARE].join(",")}`,
];
const CACHE = resolve("node_modules/.cache/standin-chromium");

export interface Candidate {
  readonly place: string;
  readonly env?: Record<string, string>;
}

export type Started =
  | { readonly kind: "browser"; readonly browser: Browser; readonly candidate: Candidate }
  | { readonly kind: "none"; readonly reason: string };

/**
 * Starts a real Chromium: the one that STANDIN_TEST_CHROMIUM names, else an installed one, else the one that comes as a dev
 * dependency (for Linux on x64 alone). Where none starts, says what was tried.
 */
export async function startChromium(): Promise<Started> {
  const tried: string[] = [];
  for (const find of [named, installed, packed]) {
    try {
      for (const candidate of find()) {
        try {
          return { kind: "browser", browser: await launch(candidate), candidate };
        } catch (thrown) {
          tried.push(`${candidate.place}: ${firstLine(thrown)}`);
        }
      }
    } catch (thrown) {
      tried.push(`${find.name}: ${firstLine(thrown)}`);
    }
  }
  const reason =
    "no Chromium starts here; install one, or name one in STANDIN_TEST_CHROMIUM" +
    (tried.length === 0 ? "" : ` (${tried.join("; ")})`);
  return { kind: "none", reason };
}

let shared: Promise<Started> | undefined;

/**
 * Playwright notes where it is with each of its steps, for errors that it reports elsewhere as well; to map fifty lines
 * back to sources costs more than many a step.
 */
function skipInnerStacks(): void {
  const { prepareStackTrace } = Error;
  if (!prepareStackTrace) return;
  Error.prepareStackTrace = (error, sites) =>
    sites[1]?.getFileName()?.endsWith("/manualPromise.js") ? "" : prepareStackTrace(error, sites);
}

/** One for all files of a worker: it ends with that. */
export function sharedChromium(): Promise<Started> {
  if (!shared) {
    skipInnerStacks();
    shared = startChromium();
  }
  return shared;
}

/** Another one beside it. */
export function launch({ place, env }: Candidate): Promise<Browser> {
  const options = { executablePath: place, args: [...FLAGS], headless: true };
  return chromium.launch(env ? { ...options, env } : options);
}

function firstLine(thrown: unknown): string {
  return String(thrown).split("\n", 1)[0] as string;
}

function named(): Candidate[] {
  const place = process.env.STANDIN_TEST_CHROMIUM;
  return place ? [{ place }] : [];
}

function installed(): Candidate[] {
  return INSTALLED.filter((path) => existsSync(path)).map((place) => ({ place }));
}

/** Unpacked once, next to the packages; a second process finds it complete. With its own libraries if the system has none. */
function packed(): Candidate[] {
  if (process.platform !== "linux" || process.arch !== "x64") return [];
  if (!existsSync(CACHE)) unpack();
  const place = join(CACHE, "chromium");
  const fonts: Record<string, string> = existsSync("/etc/fonts") ? {} : { FONTCONFIG_PATH: join(CACHE, "fonts") };
  const env = { ...process.env, ...fonts } as Record<string, string>;
  return [
    { place, env },
    { place, env: { ...env, LD_LIBRARY_PATH: join(CACHE, "al2023/lib") } },
  ];
}

function unpack(): void {
  mkdirSync(dirname(CACHE), { recursive: true });
  const own = mkdtempSync(`${CACHE}-`);
  // Said to be where it was made for, it brings the libraries along that a small machine lacks.
  const env = { ...process.env, TMPDIR: own, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" };
  try {
    execFileSync(process.execPath, ["test/support/unpack-chromium.mjs"], { env, stdio: ["ignore", "pipe", "pipe"] });
    renameSync(own, CACHE);
  } catch (thrown) {
    rmSync(own, { recursive: true, force: true });
    if (!existsSync(CACHE)) throw thrown;
  }
}

import type { TimeSource } from "../base/clock.ts";
import type { ErrorCode } from "../base/errors.ts";
import type { Eventually } from "../base/eventually.ts";
import type { OptionTable, Values } from "../base/option.ts";
import type { Offering, OpenFeature, Service } from "../http/contract.ts";
import type { MiddlewareStep } from "../http/edge.ts";
import type { OpenOptions } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";

/**
 * The door of a feature: everything the rest of the program knows of it. Doors are loaded at every start, so they hold
 * no more than names and options; `open` imports the rest.
 */
export interface Feature<Options extends OptionTable = OptionTable, Checked = unknown, Offer = unknown>
  extends Offering<Offer> {
  readonly name: string;
  /** Rows of the option table: flags, config keys, `--help`, reference page and schema follow from them. */
  readonly options: Options;
  /** First segments of paths that no collection can be reached by, whether the feature is on or off. */
  readonly reserves?: readonly string[];
  /** The refusal that its reserved paths respond with while it is off; 404 without one. */
  readonly off?: Refusal;
  /** The part of the pipeline that stays while it is off. */
  readonly guard?: OpenFeature;
  /** Off where something else than data responds. */
  readonly needsData?: true;
  /** Whether the options switch it on. Without this it is always on. */
  isOn?(options: Values<Options>, start: FeatureStart): boolean;
  /**
   * Throws a `StartError` for options that cannot work. Called before the data is opened, so that nothing is left behind.
   * `open` finds the result in `checked`.
   */
  check?(options: Values<Options>, start: FeatureStart): Eventually<Checked>;
  /** Takes part in how the data is opened. */
  prepare?(data: DataOpening, checked: Checked, steps: readonly MiddlewareStep[]): DataOpening;
  open(context: FeatureContext<Values<Options>, Checked>): Eventually<OpenFeature & { readonly offer?: Offer }>;
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The facts known before the data is opened. */
export interface FeatureStart {
  /** Where the options are written, for messages: `standin.json`. */
  readonly place: string;
  /** Whether the data will be shared with other processes. */
  readonly isShared: boolean;
  /** Where the data is read from and written to; undefined where nothing is written. */
  readonly source: string | undefined;
  /** Objects that only programs can hand over, by the option they stand for. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Tells the person who starts the server something worth knowing. */
  note(text: string): void;
}

/** How the data is about to be opened. */
export interface DataOpening {
  readonly options: OpenOptions;
  readonly now: () => number;
  readonly clock: TimeSource;
  open(options: OpenOptions): Eventually<Store>;
}

export interface FeatureContext<Options, Checked = unknown> extends FeatureStart {
  readonly options: Options;
  /** The service the feature becomes a part of. Offers of other features are there once all are open. */
  readonly service: Service;
  readonly seed: number | undefined;
  /** The result of the feature's own `check`. */
  readonly checked: Checked;
}

/** Types the door of a feature, and lets its options keep their literal types. */
export function defineFeature<const Options extends OptionTable, Checked, Offer>(
  feature: Feature<Options, Checked, Offer>,
): Feature<Options, Checked, Offer> {
  return feature;
}

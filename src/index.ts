/** The public API for programs and tests. Nothing else is exported. */

// Server
export { createStandin } from "./app/create-standin.ts";
export type { PromoteOptions, Promotion } from "./features/sandboxes/types.ts";
export type { Standin } from "./app/create-standin.ts";
export type { AccessOptions, CollectionOptions, StandinOptions } from "./app/program-options.ts";
export type { StandinSandbox } from "./app/sandbox-scope.ts";
export type { Scope } from "./app/scope.ts";

// Data
export type { CollectionAccess, Conditions, Database, Operators, SingletonAccess } from "./schema/typed-database.ts";
export type { BatchRequest, BatchResponse, BatchResponses } from "./features/batch/types.ts";
export type { CollectionControl } from "./features/members/types.ts";

// History
export type { HistoryAccess, PastMoment } from "./app/history-access.ts";
export type {
  HistoryPage,
  HistoryQuery,
  HistoryVersion,
  RevertOptions,
} from "./features/history/types.ts";

// Requests and changes
export type { RequestFilter, RequestRecord } from "./app/scope.ts";
export type { CollectionEdit, DataChange, RecordEdit } from "./store/data-change.ts";

// Faults
export type { Fault } from "./features/faults/types.ts";
export type { FaultControl } from "./app/scope.ts";

// Plugins
export { definePlugin } from "./app/define-plugin.ts";
export type {
  AnyPlugin,
  Plugin,
  PluginContext,
  PluginOption,
  PluginRequest,
  PluginRoute,
  RequestContext,
  RouteHandler,
  StepContext,
} from "./features/plugins/types.ts";

// Layers
export type { Layer } from "./layers/layer.ts";

// Errors
export { StandinError } from "./base/errors.ts";
export type { ErrorCode } from "./base/errors.ts";

/** The public API for programs and tests. Nothing else is exported. */

// Errors
export { type ErrorCode, StandinError } from "./errors.ts";
// Faults
export type { Fault } from "./features/faults/fault.ts";
// Layers
export type { Layer } from "./layers/layer.ts";
// Data
export type { CollectionAccess, Database, SingletonAccess } from "./program/database.ts";
// What happened
export type { DataChange, FaultControl, RecordEdit, RequestFilter, RequestRecord, Scope } from "./program/scope.ts";
export type { Standin, StandinOptions, StandinSandbox } from "./program/standin.ts";
// Server
export { createStandin } from "./program/standin.ts";

/** A value for everything that a function does, whenever it does it. */
export { AsyncLocalStorage as AsyncScope } from "node:async_hooks";

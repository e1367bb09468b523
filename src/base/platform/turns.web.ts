/** Calls a function in a later turn of the event loop. */
export const inLaterTurn: (run: () => void) => void =
  "setImmediate" in globalThis ? (run) => void setImmediate(run) : createMessenger();

/** Messages, since a page delays timers by milliseconds. */
function createMessenger(): (run: () => void) => void {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return (run) => {
    waiting.push(run);
    port2.postMessage(undefined);
  };
}

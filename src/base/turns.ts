let send: ((run: () => void) => void) | undefined;

/** Calls a function in a later turn of the event loop. */
export function inLaterTurn(run: () => void): void {
  send ??= "setImmediate" in globalThis ? (later) => void setImmediate(later) : createMessenger();
  send(run);
}

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

/** Debounces: calls `work` once, a while after the first of any number of calls. */
export function soon(pauseMs: number, work: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      work();
    }, pauseMs);
  };
}

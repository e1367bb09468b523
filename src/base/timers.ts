/** Lets a process end although the timer runs. The timers of browsers are numbers, and need nothing. */
export function inBackground(timer: NodeJS.Timeout): NodeJS.Timeout {
  timer.unref?.();
  return timer;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

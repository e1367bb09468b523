/** A page does not learn it, so the time that has passed stands for it. */
export function cpuUsage(): { user: number; system: number } {
  return { user: performance.now() * 1000, system: 0 };
}

/** Most browsers do not tell. */
export function getHeapStatistics(): { used_heap_size: number; heap_size_limit: number } {
  return { used_heap_size: 0, heap_size_limit: Number.POSITIVE_INFINITY };
}

export function availableParallelism(): number {
  return globalThis.navigator?.hardwareConcurrency ?? 1;
}

/** The use of the processors and of the memory. */
export const { cpuUsage } = process;
export { availableParallelism } from "node:os";
export { getHeapStatistics } from "node:v8";

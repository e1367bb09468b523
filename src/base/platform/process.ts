/** The use of the processor and of the memory. */
export const { cpuUsage } = process;
export { getHeapStatistics } from "node:v8";

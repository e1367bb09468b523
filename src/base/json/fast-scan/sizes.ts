/** Bytes that are examined at once. */
export const LANE = 16;
/** Bytes around the text that the code may read: those of the text before and after, or zeros. */
export const CONTEXT = 2 * LANE;
/** The longest text that is loaded at once: it stays in the processor's fastest memory. */
export const CAPACITY = 32 * 1024;

/** Says where a response comes from, where that may be in doubt: `upstream`, `data`, `example` or `generated`. */
export const FROM_HEADER = "X-Standin-From";

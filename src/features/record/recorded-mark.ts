/** In `info` of a document: the API that it was recorded from. */
export const RECORDED = "x-standin-recorded";

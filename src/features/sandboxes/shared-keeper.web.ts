/** No store of a page is shared with other processes. */
export class SharedKeeper {}

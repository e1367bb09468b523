/** Nothing: a small worker has no console, so it keeps no traffic. */
export class Traffic {}

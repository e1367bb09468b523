/** The `User-Agent` of requests that tools send. */
export const USER_AGENT = "standin-mcp";

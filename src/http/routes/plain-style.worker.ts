/** People open the page of an app, not that of its worker. */
export const PLAIN_STYLE = ":root { color-scheme: light dark }";

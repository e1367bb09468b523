/** The looks of pages that need no script. */
export const PLAIN_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dee4, #30363d); --soft: light-dark(#57606a, #8b949e); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; } p { color: var(--soft); margin: .25rem 0 2rem; }
table { width: 100%; border-collapse: collapse; } td, th { padding: .5rem 0; border-bottom: 1px solid var(--line); }
th { text-align: left; font-weight: 500; color: var(--soft); } .count { text-align: right; }
a { color: light-dark(#0969da, #58a6ff); text-decoration: none; } a:hover { text-decoration: underline; }
td { font-variant-numeric: tabular-nums; } .url { font-family: ui-monospace, monospace; font-size: .9em; }`;

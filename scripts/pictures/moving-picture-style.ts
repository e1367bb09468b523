/** Terminals are always dark; the other panels follow the theme of the reader. */
export const STYLE = `
text{font:12.5px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#171b22;white-space:pre}
.terminal text,.code{font:11.75px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.terminal text{fill:#e6e9ee}
.terminal .title,.page .title{font:600 12.5px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.terminal .frame{fill:#11161d;stroke:#30363d}
.terminal .line{stroke:#30363d}
.page .frame{fill:#fff;stroke:#d5dae1}
.page .line{stroke:#dfe3e8}
.badge{fill:#5b53ee}
.badge+.number{font:700 11px system-ui,sans-serif;fill:#fff;text-anchor:middle}
.terminal .dim{fill:#9aa4b2}
.terminal .url{fill:#79c0ff}
.terminal .bold{font-weight:700}
.terminal .good{fill:#6fd39a}
.page .dim{fill:#5c6673}
.page .key{fill:#4f46e5}
.page .new{font-weight:700}
.focus{fill:none;stroke:#4f46e5;stroke-width:2}
.added{fill:#dcf5e6}
.removed{fill:#fde4e2}
.pointer{fill:#171b22;stroke:#fff;stroke-width:1.2}
.gone{opacity:0}
.typed{animation-timing-function:steps(20)}
@media (prefers-color-scheme:dark){
.page text{fill:#e6e9ee}
.page .frame{fill:#161b22;stroke:#30363d}
.page .line{stroke:#2a313c}
.page .dim{fill:#9aa4b2}
.page .key{fill:#a5a3ff}
.focus{stroke:#a5a3ff}
.added{fill:#143626}
.removed{fill:#421d19}
.pointer{fill:#fff;stroke:#171b22}
}
`;

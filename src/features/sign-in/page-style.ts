/** The colours and scales of the console, for a page that stands alone. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --page: light-dark(#f6f7f9, #0e1116); --surface: light-dark(#fff, #161b22);
  --line: light-dark(#dfe3e8, #2a313c); --line-strong: light-dark(#8a94a3, #667080); --text: light-dark(#171b22, #e6e9ee);
  --soft: light-dark(#566072, #9aa5b4); --accent: light-dark(#4f46e5, #a5a3ff); --fill: light-dark(#4f46e5, #5b53ee);
  --accent-soft: light-dark(#eeedfd, #23233f); --bad: light-dark(#b42318, #ff8f85); --bad-soft: light-dark(#fdeceb, #331714); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 26rem; margin: 0 auto; padding: 48px 16px; }
.brand { margin: 0; color: var(--soft); font-size: 13px; } h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.3; }
.lead { margin: 0 0 24px; color: var(--soft); } .note { margin: 16px 0 0; color: var(--soft); font-size: 13px; }
strong { color: var(--text); overflow-wrap: anywhere; }
.problem { padding: 12px 16px; border-radius: 8px; background: var(--bad-soft); color: var(--bad); overflow-wrap: anywhere; }
label { display: block; margin: 0 0 4px; font-size: 13px; font-weight: 600; overflow-wrap: anywhere; }
input { width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--line-strong); border-radius: 8px;
  background: var(--surface); color: inherit; font: inherit; }
form { margin: 0 0 16px; } ul { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 8px;
  background: var(--surface); overflow: hidden; }
li + li { border-top: 1px solid var(--line); }
button { display: flex; width: 100%; min-height: 48px; align-items: center; justify-content: space-between; gap: 12px;
  padding: 8px 16px; border: 0; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer; }
button span { overflow-wrap: anywhere; } button small { color: var(--soft); font-size: 13px; text-align: right; }
button:hover { background: var(--accent-soft); }
button.primary, button.primary:hover { justify-content: center; margin-top: 16px; border-radius: 8px; background: var(--fill);
  color: #fff; font-weight: 600; }
button.plain { justify-content: center; border-radius: 8px; color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
`;

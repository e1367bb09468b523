import type { ComponentChildren } from "preact";
import { type Block, inlineParts, type Part, parseBlocks } from "./markdown-blocks.ts";
import "./markdown.css";

/** Text of a document as OpenAPI wants it: the everyday part of Markdown. HTML in it is shown as plain text. */
export function Markdown({ text, look = "" }: { text: string; look?: string }) {
  if (text.trim() === "") return null;
  return <div class={`markdown ${look}`.trim()}>{parseBlocks(text).map(block)}</div>;
}

/** A text of one line, such as the description of a parameter. */
export function InlineMarkdown({ text }: { text: string }) {
  return <>{inline(text)}</>;
}

function block(one: Block, index: number): ComponentChildren {
  switch (one.kind) {
    case "heading":
      return (
        <p key={index} class="markdown-heading">
          {inline(one.text)}
        </p>
      );
    case "code":
      return <pre key={index}>{one.text}</pre>;
    case "list":
      return (
        <ul key={index}>
          {one.items.map((item) => (
            <li key={item}>{inline(item)}</li>
          ))}
        </ul>
      );
    case "table":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard, too
        <section key={index} class="markdown-table" tabIndex={0} aria-label="Table">
          <table>
            <tbody>
              {one.rows.map((cells, row) => (
                <tr key={`${row} ${cells.join()}`}>
                  {cells.map((cell, column) => (
                    <td key={`${column} ${cell}`}>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      );
    case "paragraph":
      return <p key={index}>{inline(one.text)}</p>;
  }
}

function inline(text: string): ComponentChildren {
  return inlineParts(text).map(part);
}

function part(one: Part, index: number): ComponentChildren {
  switch (one.kind) {
    case "code":
      return <code key={index}>{one.text}</code>;
    case "strong":
      return <strong key={index}>{one.text}</strong>;
    case "emphasis":
      return <em key={index}>{one.text}</em>;
    case "link":
      return (
        <a key={index} href={one.href} target="_blank" rel="noreferrer">
          {one.text}
        </a>
      );
    case "text":
      return one.text;
  }
}

import { useState } from "preact/hooks";
import { Button } from "./button.tsx";

interface CopyButtonProps {
  /** The text, or how to get it. */
  readonly text: string | (() => Promise<string>);
  readonly label?: string;
  /** For those who do not see what the button belongs to. */
  readonly name?: string;
}

/** Copies a text to the clipboard and confirms it for a moment. */
export function CopyButton({ text, label = "Copy", name }: CopyButtonProps) {
  const [state, setState] = useState<"ready" | "copied" | "refused">("ready");
  const copy = async (): Promise<void> => {
    const copied = typeof text === "string" ? text : await text().catch(() => undefined);
    setState(copied !== undefined && (await putOnClipboard(copied)) ? "copied" : "refused");
    setTimeout(() => setState("ready"), 1500);
  };
  const words = { ready: label, copied: "Copied", refused: "Not allowed" } as const;
  return (
    <Button
      look="small"
      icon={state === "copied" ? "check" : "copy"}
      label={state === "ready" ? name : undefined}
      onClick={() => copy()}
    >
      <span aria-live="polite">{words[state]}</span>
    </Button>
  );
}

/** The clipboard API needs a secure page; plain HTTP on another machine needs the old way. */
export async function putOnClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    const place = document.querySelector("dialog[open]") ?? document.body;
    place.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}

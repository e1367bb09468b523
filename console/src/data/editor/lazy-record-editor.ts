import { lazy } from "../../ui/lazy.tsx";
import type { RecordEditorProps } from "./use-record-form.ts";

/** The editor, whose controls are loaded when a record is first opened. */
export const RecordEditor = lazy<RecordEditorProps>(
  "the editor",
  async () => (await import("./record-editor.tsx")).RecordEditor,
);

import { inSandbox } from "../api/base.ts";
import type { Overview } from "../api/overview.ts";
import { NewSandboxDialog } from "../lab/sandboxes/new-sandbox-dialog.tsx";
import { leaveFor } from "./leave-for.ts";
import "../styles/lab.css";

/** Creates a sandbox, and shows the same view in it. */
export function NewSandbox({ overview, onClose }: { overview: Overview; onClose: () => void }) {
  return (
    <NewSandboxDialog
      overview={overview}
      onCreated={({ name }) => {
        onClose();
        leaveFor(inSandbox(name));
      }}
      onClose={onClose}
    />
  );
}

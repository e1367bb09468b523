import { inSandbox } from "../api/base.ts";
import { NewSandboxDialog } from "../lab/sandboxes/new-sandbox-dialog.tsx";
import { leaveFor } from "../routes/leave-for.ts";
import "../lab/lab-view.css";

/** Creates a sandbox, and shows the same view in it. */
export function NewSandbox({ onClose }: { onClose: () => void }) {
  return (
    <NewSandboxDialog
      onCreated={({ name }) => {
        onClose();
        leaveFor(inSandbox(name));
      }}
      onClose={onClose}
    />
  );
}

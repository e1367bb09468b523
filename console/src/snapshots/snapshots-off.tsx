import { CopyButton } from "../ui/copy-button.tsx";
import { Empty } from "../ui/notice.tsx";

const FLAG = "--snapshots snapshots";

/** Says how to switch snapshots on. */
export function SnapshotsOff() {
  return (
    <Empty icon="snapshots" title="Snapshots are off">
      <p>Start the server with this option to keep them in a folder of that name:</p>
      <div class="row off-flag">
        <code>{FLAG}</code>
        <CopyButton text={FLAG} />
      </div>
      <p>A reset to the data as it was loaded works without.</p>
    </Empty>
  );
}

import { SANDBOX } from "../api/base.ts";
import type { Route } from "../routes/route.ts";
import { Icon } from "../ui/icon.tsx";

/** The differences of views inside a sandbox. */
const NOTES: Partial<Readonly<Record<Route["view"], string>>> = {
  overview: "Counts and relations are those of the sandbox; layers, rules and rewriting are those of the whole server.",
  request: "Requests go to this sandbox.",
  traffic: "You see the requests to this sandbox only.",
  lab: "You see every sandbox of the server, and the faults that requests to this one can meet.",
  snapshots:
    "Snapshots belong to the whole server. Saving takes this sandbox; restoring and resetting change it alone.",
};

export function SandboxNote({ view }: { view: Route["view"] }) {
  const note = NOTES[view];
  if (SANDBOX === undefined || note === undefined) return null;
  return (
    <p class="sandbox-note">
      <Icon name="sandboxes" />
      <span>
        <strong>Inside {SANDBOX}.</strong> {note}
      </span>
    </p>
  );
}

import { useState } from "preact/hooks";
import { SANDBOX } from "../../api/base.ts";
import type { Sandbox } from "../../api/sandbox.ts";
import { MANY_SANDBOXES, sandboxesNamed } from "../../api/sandbox-list.ts";
import { Button } from "../../ui/button.tsx";
import { formatCount } from "../../ui/format.ts";
import { SearchBox } from "../../ui/search-box.tsx";
import { SandboxCard, type SandboxCardProps } from "./sandbox-card.tsx";

/** Shown at first, of many: faults and the clock are below, and should be found without a long way. */
const FEW = 6;

interface SandboxCardsProps extends Omit<SandboxCardProps, "sandbox"> {
  readonly sandboxes: readonly Sandbox[];
}

/** The sandboxes, that of this page first; many of them can be searched by name. */
export function SandboxCards({ sandboxes, ...card }: SandboxCardsProps) {
  const [wanted, setWanted] = useState("");
  const [areAllShown, setAllShown] = useState(false);
  const areMany = sandboxes.length > MANY_SANDBOXES;
  const found = sandboxesNamed(hereFirst(sandboxes), areMany ? wanted : "");
  const shown = areMany && !areAllShown ? found.slice(0, FEW) : found;
  return (
    <>
      {areMany && (
        <div class="cluster sandbox-filter">
          <SearchBox label="Find a sandbox" value={wanted} onInput={setWanted} />
          {found.length === 0 && <span class="soft">No name contains “{wanted.trim()}”.</span>}
        </div>
      )}
      {shown.length > 0 && (
        <ul class="sandbox-cards" aria-label="Sandboxes">
          {shown.map((sandbox) => (
            <SandboxCard key={sandbox.name} sandbox={sandbox} {...card} />
          ))}
        </ul>
      )}
      {areMany && found.length > FEW && (
        <Button look="at-start" onClick={() => setAllShown(!areAllShown)}>
          {areAllShown ? "Show fewer" : `Show all ${formatCount(found.length)}`}
        </Button>
      )}
    </>
  );
}

function hereFirst(sandboxes: readonly Sandbox[]): readonly Sandbox[] {
  const isHere = ({ name }: Sandbox): boolean => name === SANDBOX;
  return [...sandboxes.filter(isHere), ...sandboxes.filter((sandbox) => !isHere(sandbox))];
}

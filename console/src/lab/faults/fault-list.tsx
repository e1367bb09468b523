import type { ActiveFault, FaultKind } from "../../api/faults.ts";
import { Button } from "../../ui/button.tsx";
import { formatCount } from "../../ui/format.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { effectOf, limitsOf, scopeOf } from "./fault-words.ts";

const ICONS: Readonly<Record<FaultKind, IconName>> = {
  status: "warning",
  latency: "clock",
  timeout: "clock",
  "slow-body": "clock",
  reset: "unplugged",
  "empty-reply": "unplugged",
  "truncated-body": "unplugged",
  "malformed-json": "braces",
};

interface FaultListProps {
  readonly faults: readonly ActiveFault[];
  readonly isReadOnly: boolean;
  readonly onTurn: (fault: ActiveFault) => void;
  readonly onRemove: (fault: ActiveFault) => void;
  readonly onEdit: (fault: ActiveFault) => void;
  /** Lets one that is used up happen as often again. */
  readonly onRearm: (fault: ActiveFault) => void;
  readonly onCode: (fault: ActiveFault) => void;
}

export function FaultList({ faults, isReadOnly, onTurn, onRemove, onEdit, onRearm, onCode }: FaultListProps) {
  return (
    <ul class="card flush" aria-label="Active faults">
      {faults.map((fault) => (
        <FaultRow
          key={fault.id}
          fault={fault}
          {...(!isReadOnly && {
            onTurn: () => onTurn(fault),
            onRemove: () => onRemove(fault),
            onEdit: () => onEdit(fault),
            onRearm: () => onRearm(fault),
          })}
          onCode={() => onCode(fault)}
        />
      ))}
    </ul>
  );
}

interface FaultRowProps {
  readonly fault: ActiveFault;
  /** Left out where nothing can be changed. */
  readonly onTurn?: () => void;
  readonly onRemove?: () => void;
  readonly onEdit?: () => void;
  readonly onRearm?: () => void;
  readonly onCode: () => void;
}

function FaultRow({ fault, onTurn, onRemove, onEdit, onRearm, onCode }: FaultRowProps) {
  const { hits, count } = fault;
  const effect = effectOf(fault);
  const isOver = count !== undefined && hits >= count;
  return (
    <li class={isOver || fault.off ? "fault-row over" : "fault-row"}>
      <span class="fault-mark" aria-hidden="true">
        {fault.status ?? <Icon name={ICONS[fault.fault]} />}
      </span>
      <div class="column fault-text">
        <span class="cluster fault-name">
          <strong class="cut">{effect}</strong>
          {isOver && <span class="badge">used up</span>}
          {fault.off && <span class="badge">off</span>}
        </span>
        <span class="fault-scope">
          <code>{scopeOf(fault)}</code>
          {limitsOf(fault).map((limit) => (
            <span key={limit} class="tag">
              {limit}
            </span>
          ))}
        </span>
      </div>
      <Hits fault={fault} />
      <div class="cluster actions">
        {onTurn && (
          <button
            type="button"
            role="switch"
            class="fault-switch"
            aria-label={`${effect} is on`}
            aria-checked={!fault.off}
            onClick={onTurn}
          />
        )}
        {isOver && onRearm && (
          <Button look="small" icon="repeat" onClick={onRearm}>
            Use again
          </Button>
        )}
        {onEdit && <IconButton icon="pencil" label={`Edit ${effect}`} onClick={onEdit} />}
        <Button look="small" onClick={onCode}>
          Test code
        </Button>
        {onRemove && <IconButton icon="trash" label={`Remove ${effect}`} onClick={onRemove} />}
      </div>
    </li>
  );
}

/** Drawn anew with each hit, so that it catches the eye. */
function Hits({ fault: { hits, count } }: { fault: ActiveFault }) {
  return (
    <div class="hits">
      <strong key={hits} class={hits > 0 ? "hit-count hit" : "hit-count"}>
        {formatCount(hits)}
      </strong>
      <span class="soft">{count === undefined ? (hits === 1 ? "hit" : "hits") : `of ${formatCount(count)}`}</span>
    </div>
  );
}

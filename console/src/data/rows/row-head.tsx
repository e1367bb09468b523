interface RowHeadProps {
  /** Undefined while the record is being fetched, and for one without an id. */
  readonly id: string | undefined;
  readonly isPicked: boolean;
}

/** The beginning of a row: picks it, and opens its menu. The table listens to both; arrow keys lead to them. */
export function RowHead({ id, isPicked }: RowHeadProps) {
  if (id === undefined) return null;
  return (
    <span class="row row-head">
      <input type="checkbox" tabIndex={-1} aria-label={`Select ${id}`} checked={isPicked} />
      <button type="button" class="row-actions" tabIndex={-1} aria-label={`Actions for ${id}`} aria-haspopup="menu" />
    </span>
  );
}

interface AllBoxProps {
  readonly count: number;
  readonly total: number;
  readonly onPickAll: (isOn: boolean) => void;
}

/** Picks every record that matches, or none. */
export function AllBox({ count, total, onPickAll }: AllBoxProps) {
  const isAll = count > 0 && count >= total;
  return (
    <input
      type="checkbox"
      aria-label="Select all that match"
      checked={isAll}
      ref={(box) => {
        if (box) box.indeterminate = count > 0 && !isAll;
      }}
      onClick={() => onPickAll(!isAll)}
    />
  );
}

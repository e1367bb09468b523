export interface LegendItem {
  readonly name: string;
  /** The class that gives the key its colour. */
  readonly look: string;
  readonly shape: "bar" | "line";
}

/** Says which colour means what. */
export function Legend({ items }: { items: readonly LegendItem[] }) {
  return (
    <ul class="legend">
      {items.map(({ name, look, shape }) => (
        <li key={name}>
          <span class={`legend-key ${shape} ${look}`} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}

import { PRESETS, type Preset } from "./presets.ts";

interface PresetButtonsProps {
  /** Cards say what the preset does; chips are for where there is little room. */
  readonly look: "cards" | "chips";
  /** Whether one is what the builder holds. */
  readonly isChosen?: (preset: Preset) => boolean;
  readonly onChoose: (preset: Preset) => void;
}

export function PresetButtons({ look, isChosen, onChoose }: PresetButtonsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons
    <div class={look === "cards" ? "presets" : "chips"} role="group" aria-label="Presets">
      {PRESETS.map((preset) => (
        <button
          key={preset.name}
          type="button"
          class={look === "cards" ? "preset" : "chip-toggle"}
          aria-pressed={isChosen?.(preset)}
          title={look === "chips" ? preset.about : undefined}
          onClick={() => onChoose(preset)}
        >
          {look === "chips" ? preset.name : <strong>{preset.name}</strong>}
          {look === "cards" && <span class="hint">{preset.about}</span>}
        </button>
      ))}
    </div>
  );
}

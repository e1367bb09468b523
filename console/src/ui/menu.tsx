import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";
import { Popover } from "./popover.tsx";

export interface MenuItem {
  readonly name: string;
  readonly icon?: IconName;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** For one of several of which one is chosen. */
  readonly isChecked?: boolean;
  /** Whether a line sets it apart from the one before. */
  readonly startsGroup?: boolean;
  readonly onChoose: () => void;
}

interface MenuProps {
  /** Names the menu, and the button if its content is an icon. */
  readonly label: string;
  readonly look?: string;
  readonly button: ComponentChildren;
  readonly items: readonly MenuItem[];
}

/** A button and the actions that it opens; arrow keys move between them. */
export function Menu({ label, look = "icon-button", button, items }: MenuProps) {
  return (
    <Popover
      label={label}
      look={look}
      role="menu"
      button={button}
      {...(look === "icon-button" && { buttonLabel: label })}
    >
      {(close) => (
        <div class="menu" role="none" onKeyDown={moveFocus}>
          {items.map(
            ({ name, icon, isDanger = false, isDisabled = false, isChecked, startsGroup = false, onChoose }, index) => (
              // biome-ignore lint/a11y/useAriaPropsSupportedByRole: set for radio items alone
              <button
                key={name}
                type="button"
                role={isChecked === undefined ? "menuitem" : "menuitemradio"}
                aria-checked={isChecked}
                class={`menu-item${isDanger ? " danger" : ""}${startsGroup && index > 0 ? " apart" : ""}`}
                disabled={isDisabled}
                data-first={index === 0 ? "" : undefined}
                onClick={() => {
                  close();
                  onChoose();
                }}
              >
                {icon && <Icon name={icon} />}
                {name}
                {isChecked && <Icon name="check" />}
              </button>
            ),
          )}
        </div>
      )}
    </Popover>
  );
}

const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

function moveFocus(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[role^=menuitem]:enabled")];
  const index = items.indexOf(document.activeElement as HTMLElement);
  items[step(index, items.length)]?.focus();
}

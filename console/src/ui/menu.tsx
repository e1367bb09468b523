import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";
import { moveFocus } from "./move-focus.ts";
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
  /** Whether the menu stays open. */
  readonly isKeptOpen?: boolean;
  readonly onChoose: () => void;
}

interface MenuProps {
  /** Names the menu, and the button if its content is an icon. */
  readonly label: string;
  readonly look?: string;
  readonly button: ComponentChildren;
  /** Whether the Tab key stops at the button. */
  readonly isTabStop?: boolean;
  readonly items: readonly MenuItem[];
}

/** A button and the actions that it opens; arrow keys move between them. */
export function Menu({ label, look = "icon-button", button, isTabStop = true, items }: MenuProps) {
  return (
    <Popover
      label={label}
      look={look}
      role="menu"
      button={button}
      isTabStop={isTabStop}
      {...(look === "icon-button" && { buttonLabel: label })}
    >
      {(close) => <MenuItems items={items} onClose={close} />}
    </Popover>
  );
}

/** The actions of a menu. */
export function MenuItems({ items, onClose }: { items: readonly MenuItem[]; onClose: () => void }) {
  return (
    <div class="menu" role="none" onKeyDown={moveFocus}>
      {items.map((item, index) => {
        const { name, icon, isDanger = false, isDisabled = false, isChecked, isKeptOpen = false, onChoose } = item;
        const isApart = item.startsGroup === true && index > 0;
        return (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: set for radio items alone
          <button
            key={name}
            type="button"
            role={isChecked === undefined ? "menuitem" : "menuitemradio"}
            aria-checked={isChecked}
            class={`menu-item${isDanger ? " danger" : ""}${isApart ? " apart" : ""}`}
            disabled={isDisabled}
            data-first={index === 0 ? "" : undefined}
            onClick={() => {
              if (!isKeptOpen) onClose();
              onChoose();
            }}
          >
            {icon && <Icon name={icon} />}
            <span class="cut">{name}</span>
            {isChecked && <Icon name="check" />}
          </button>
        );
      })}
    </div>
  );
}

import { createStore } from "../api/store.ts";

/** Light or dark: the system's setting, until the user chooses. */
export type Theme = "light" | "dark";

const PLACE = "standin-theme";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

export const theme = createStore<Theme>(chosen() ?? bySystem());

export function startTheme(): void {
  show(chosen());
  systemIsDark.addEventListener("change", () => theme.set(chosen() ?? bySystem()));
}

export function toggleTheme(): void {
  const next = theme.get() === "dark" ? "light" : "dark";
  localStorage.setItem(PLACE, next);
  theme.set(next);
  show(next);
}

function show(choice: Theme | undefined): void {
  if (choice) document.documentElement.dataset.theme = choice;
}

function chosen(): Theme | undefined {
  const kept = localStorage.getItem(PLACE);
  return kept === "light" || kept === "dark" ? kept : undefined;
}

function bySystem(): Theme {
  return systemIsDark.matches ? "dark" : "light";
}

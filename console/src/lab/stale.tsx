import { Icon } from "../ui/icon.tsx";

/** Beside a list that could not be loaded again. */
export function Stale() {
  return (
    <p class="stale" role="status">
      <Icon name="warning" />
      The server does not respond. This is the last known state; it is updated as soon as the server is back.
    </p>
  );
}

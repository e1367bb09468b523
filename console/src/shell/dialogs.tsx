import { useEffect } from "preact/hooks";
import { useStore } from "../api/store.ts";
import { useKnownOverview } from "../api/use-overview.ts";
import type { Route } from "../routes/route.ts";
import { lazy } from "../ui/lazy.tsx";
import { closeDialog, opened } from "./opened.ts";

/** The dialogs that belong to no view; each is loaded when it is first opened. */
const Palette = lazy("the commands", async () => (await import("./palette/palette.tsx")).Palette);
const Help = lazy("the shortcuts", async () => (await import("./help.tsx")).Help);
const NewSandbox = lazy("the form", async () => (await import("./new-sandbox.tsx")).NewSandbox);
const CollectionDialogs = lazy(
  "the form",
  async () => (await import("../data/collection-dialogs.tsx")).CollectionDialogs,
);

export function Dialogs({ route }: { route: Route }) {
  const dialog = useStore(opened);
  const overview = useKnownOverview();
  useEffect(() => {
    if (dialog === undefined) return;
    // A dialog closes by itself; this is for one whose code could not be loaded.
    const close = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") closeDialog();
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [dialog]);
  switch (dialog) {
    case undefined:
      return null;
    case "palette":
      return <Palette route={route} onClose={closeDialog} />;
    case "help":
      return <Help onClose={closeDialog} />;
    case "new-sandbox":
      return overview ? <NewSandbox onClose={closeDialog} /> : null;
    case "new-collection":
      return <CollectionDialogs asked={{ kind: "create" }} onClose={closeDialog} onRefused={() => undefined} />;
  }
}

import { faults, isActive } from "../../api/faults.ts";
import { useStore } from "../../api/store.ts";
import { useOverview } from "../../api/use-overview.ts";
import { formatRoute } from "../../routes/route.ts";
import { Icon } from "../../ui/icon.tsx";
import { type DrawnStage, drawnStages } from "./stages.ts";

/** The most names that a stage shows. */
const MOST_NOTES = 3;

/** The way of a request to the data: each stage with what is active in it, and a link to where that is seen. */
export function Pipeline() {
  const overview = useOverview();
  const active = useStore(faults).filter(isActive);
  const hits = active.reduce((sum, fault) => sum + fault.hits, 0);
  const stages = drawnStages(overview, { active: active.length, hits });
  return (
    <ol class="pipeline" aria-label="The stages of a request">
      {stages.map((stage, index) => (
        <li key={index} class={stage.isActive ? "pipeline-stage active" : "pipeline-stage"}>
          <StageLink stage={stage} />
        </li>
      ))}
    </ol>
  );
}

function StageLink({ stage }: { stage: DrawnStage }) {
  const { name, icon, notes, hint, seenAt } = stage;
  const rest = notes.length - MOST_NOTES;
  const content = (
    <>
      <span class="row stage-name">
        <Icon name={icon} />
        {name}
      </span>
      <span class="stage-notes">
        {notes.slice(0, MOST_NOTES).map((note, index) => (
          <span key={index} class="cut" title={note}>
            {note}
          </span>
        ))}
        {rest > 0 && <span>and {rest} more</span>}
      </span>
    </>
  );
  if (!("card" in seenAt)) {
    return (
      <a class="stage-link" href={formatRoute(seenAt)} title={hint}>
        {content}
      </a>
    );
  }
  return (
    <button type="button" class="stage-link" title={hint} onClick={() => showCard(seenAt.card)}>
      {content}
    </button>
  );
}

/** Scrolls to a card of the page by the id of its heading, and goes on from there with the keyboard. */
function showCard(id: string): void {
  const card = document.getElementById(id)?.closest<HTMLElement>(".card");
  if (!card) return;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  card.scrollIntoView({ block: "center", behavior: isCalm ? "auto" : "smooth" });
  card.tabIndex = -1;
  card.focus({ preventScroll: true });
}

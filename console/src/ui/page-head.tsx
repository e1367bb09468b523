import type { ComponentChildren } from "preact";

interface PageHeadProps {
  readonly title: ComponentChildren;
  /** Names a part of a page; undefined for the head of the page itself. */
  readonly id?: string;
  /** One line below the title. */
  readonly lead?: ComponentChildren;
  /** At the end of the line. */
  readonly actions?: ComponentChildren;
}

/** The head of a page, or of one of its parts. */
export function PageHead({ title, id, lead, actions }: PageHeadProps) {
  const Title = id === undefined ? "h1" : "h2";
  return (
    <div class="cluster page-head">
      <div>
        <Title id={id}>{title}</Title>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {actions && <div class="cluster actions">{actions}</div>}
    </div>
  );
}

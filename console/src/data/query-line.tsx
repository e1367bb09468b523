import { API_URL } from "../api/base.ts";
import { credentialHeaders } from "../api/credentials.ts";
import { pathAtMoment } from "../api/moment.ts";
import type { Overview } from "../api/overview.ts";
import { useOverview } from "../api/use-overview.ts";
import { copyAs, LANGUAGES } from "../request/copy-as.ts";
import { draftOfRequest, readyRequest } from "../request/request-draft.ts";
import { openInBuilder } from "../request/request-state.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton, putOnClipboard } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useOfferedCommands } from "../ui/offered-commands.ts";
import { Popover } from "../ui/popover.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { copyAsFind } from "./copy-as-find.ts";
import type { ListQuery } from "./list-query.ts";

interface QueryLineProps {
  readonly collection: string;
  readonly query: ListQuery;
  /** Path and query of the request. */
  readonly path: string;
}

/** The request behind the list, as it is built, and ways to take it along. */
export function QueryLine({ collection, query, path }: QueryLineProps) {
  const inDocument = documentPathOf(useOverview(), collection);
  const openAsRequest = (): void => openInBuilder(draftOfRequest("GET", pathAtMoment("GET", path)));
  useOfferedCommands(() => [
    ...LANGUAGES.map((language) => ({
      name: `Copy the list as ${language}`,
      icon: "copy" as const,
      run: () => void putOnClipboard(copyAs(language, requestAt(path))),
    })),
    { name: "Open the list as request", icon: "request", run: openAsRequest },
  ]);
  const button = (
    <>
      <Icon name="copy" />
      Copy as
    </>
  );
  return (
    <div class="row query-line">
      <ScrollRegion look="query-text" label="The request behind this list">
        <code>
          <span class="method">GET</span> {pathAtMoment("GET", path)}
        </code>
        {inDocument !== undefined && (
          <span class="soft">
            {" "}
            (<code>{inDocument}</code> in the document)
          </span>
        )}
      </ScrollRegion>
      <Popover label="Copy as" look="button small" button={button}>
        {() => <CopyMenu collection={collection} query={query} path={path} />}
      </Popover>
      <Button look="small" onClick={openAsRequest}>
        Open as request
      </Button>
    </div>
  );
}

function requestAt(path: string) {
  const draft = draftOfRequest("GET", pathAtMoment("GET", path));
  return readyRequest(draft, API_URL, Object.entries(credentialHeaders()));
}

function CopyMenu({ collection, query, path }: QueryLineProps) {
  const inDocument = documentPathOf(useOverview(), collection);
  const request = requestAt(path);
  return (
    <div class="copy-menu">
      <CopyButton text={request.url} label="URL" />
      {inDocument !== undefined && <CopyButton text={`${API_URL}${inDocument}`} label="URL in the document" />}
      {LANGUAGES.map((language) => (
        <CopyButton key={language} text={copyAs(language, request)} label={language} />
      ))}
      <CopyButton text={copyAsFind(collection, query)} label="TypeScript (program)" />
    </div>
  );
}

function documentPathOf({ members }: Overview, collection: string): string | undefined {
  return members.find(({ name }) => name === collection)?.path;
}

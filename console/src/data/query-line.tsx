import { API_URL } from "../api/base.ts";
import { credentialHeaders } from "../api/credentials.ts";
import { pathAtMoment } from "../api/moment.ts";
import { copyAs, LANGUAGES } from "../request/copy-as.ts";
import { draftOfRequest, readyRequest } from "../request/request-draft.ts";
import { openInBuilder } from "../request/request-state.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icon.tsx";
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
      </ScrollRegion>
      <Popover label="Copy as" look="button small" button={button}>
        {() => <CopyMenu collection={collection} query={query} path={path} />}
      </Popover>
      <Button look="small" onClick={() => openInBuilder(draftOfRequest("GET", pathAtMoment("GET", path)))}>
        Open as request
      </Button>
    </div>
  );
}

function CopyMenu({ collection, query, path }: QueryLineProps) {
  const request = readyRequest(
    draftOfRequest("GET", pathAtMoment("GET", path)),
    API_URL,
    Object.entries(credentialHeaders()),
  );
  return (
    <div class="copy-menu">
      <CopyButton text={request.url} label="URL" />
      {LANGUAGES.map((language) => (
        <CopyButton key={language} text={copyAs(language, request)} label={language} />
      ))}
      <CopyButton text={copyAsFind(collection, query)} label="TypeScript (program)" />
    </div>
  );
}

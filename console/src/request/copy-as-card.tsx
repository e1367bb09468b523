import { useState } from "preact/hooks";
import { IS_IN_WORKER, ONLY_PAGES } from "../api/base.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { copyAs, LANGUAGES, type Language } from "./copy-as.ts";
import type { ReadyRequest } from "./request-draft.ts";

const TABS = LANGUAGES.map((language) => [language, language] as const);

/** The request as code for other tools. */
export function CopyAs({ request }: { request: ReadyRequest }) {
  const [language, setLanguage] = useState<Language>(LANGUAGES[0] ?? "curl");
  const code = copyAs(language, request);
  return (
    <section class="card" aria-labelledby="copy-as">
      <div class="cluster card-head">
        <h2 id="copy-as">Copy as</h2>
        <Tabs label="Copy as" tabs={TABS} chosen={language} onChoose={setLanguage} />
        <CopyButton text={code} />
      </div>
      {IS_IN_WORKER && <p class="soft">{ONLY_PAGES}</p>}
      <ScrollRegion look="code" label={`The request as ${language}`}>
        <pre>{code}</pre>
      </ScrollRegion>
    </section>
  );
}

import { useState } from "preact/hooks";
import { CopyButton } from "../ui/copy-button.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { copyAs, LANGUAGES, type Language } from "./copy-as.ts";
import type { ReadyRequest } from "./request-draft.ts";

/** The request as code for other tools. */
export function CopyAs({ request }: { request: ReadyRequest }) {
  const [language, setLanguage] = useState<Language>("curl");
  const code = copyAs(language, request);
  return (
    <section class="card" aria-labelledby="copy-as">
      <div class="card-head">
        <h2 id="copy-as">Copy as</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: buttons of which one is pressed */}
        <div class="tabs" role="group" aria-labelledby="copy-as">
          {LANGUAGES.map((one) => (
            <button key={one} type="button" aria-pressed={one === language} onClick={() => setLanguage(one)}>
              {one}
            </button>
          ))}
        </div>
        <CopyButton text={code} />
      </div>
      <ScrollRegion look="code" label={`The request as ${language}`}>
        <pre>{code}</pre>
      </ScrollRegion>
    </section>
  );
}

import { useState } from "preact/hooks";
import type { JsonObject } from "../api/json.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { JsonCode } from "../ui/json-code.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { Select } from "../ui/select.tsx";
import { Tabs } from "../ui/tabs.tsx";
import type { Content } from "./reference.ts";
import { SchemaTree } from "./schema-tree.tsx";

const TABS = [
  ["schema", "Schema"],
  ["example", "Example"],
] as const;

interface ContentViewProps {
  readonly root: JsonObject;
  readonly contents: readonly Content[];
  /** Names the body, such as "body of the request". */
  readonly label: string;
  readonly exampleOf: (content: Content) => string;
}

/** The forms of a body: its schema, and an example. */
export function ContentView({ root, contents, label, exampleOf }: ContentViewProps) {
  const [type, setType] = useState(contents[0]?.type);
  const [shows, setShows] = useState<"schema" | "example">("schema");
  const content = contents.find((one) => one.type === type) ?? contents[0];
  if (!content) return null;
  const example = exampleOf(content);
  const hasSchema = content.schema !== undefined;
  const shown = hasSchema ? shows : "example";
  return (
    <div class="column content-view">
      <div class="cluster content-head">
        {contents.length > 1 ? (
          <Select
            class="mono"
            aria-label={`Type of the ${label}`}
            value={content.type}
            options={contents.map((one) => [one.type, one.type] as const)}
            onChoose={setType}
          />
        ) : (
          <code class="soft cut">{content.type}</code>
        )}
        {hasSchema && example !== "" && (
          <Tabs label={`Show of the ${label}`} tabs={TABS} chosen={shows} onChoose={setShows} />
        )}
      </div>
      {shown === "schema" ? (
        <SchemaTree root={root} schema={content.schema} />
      ) : (
        example !== "" && (
          <div class="example">
            <ScrollRegion look="code" label={`Example of the ${label}`}>
              <JsonCode text={example} />
            </ScrollRegion>
            <CopyButton text={example} />
          </div>
        )
      )}
    </div>
  );
}

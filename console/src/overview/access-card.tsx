import { useState } from "preact/hooks";
import { lookAs } from "../api/look-as.ts";
import type { Access, MemberAccess } from "../api/overview.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { useOverview } from "../api/use-overview.ts";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";
import { Problem } from "../ui/notice.tsx";

const ADMINS = "admins";

/** Who may do what with the records of each collection, and a look at the data as another user. */
export function AccessCard() {
  const { access, members } = useOverview();
  if (!access) return null;
  const unlisted = members.filter(({ name }) => access.rules[name] === undefined);
  return (
    <section class="card stack" aria-labelledby="access">
      <h2 id="access">Who may see what</h2>
      <LookAs user={access.user} />
      <ul class="record-rules">
        {Object.entries(access.rules).map(([name, rules]) => (
          <li key={name}>
            <strong>{name}</strong>
            <span class="soft">read: {wordsFor(rules, rules.read)}</span>
            <span class="soft">write: {wordsFor(rules, rules.write)}</span>
          </li>
        ))}
      </ul>
      {unlisted.length > 0 && (
        <p class="hint">
          For admins, since no rule lists them: {unlisted.map(({ name }) => name).join(", ")}. Users may use their own
          record.
        </p>
      )}
    </section>
  );
}

function LookAs({ user }: Pick<Access, "user">) {
  const [name, setName] = useState("");
  const [refusal, setRefusal] = useState<Refusal>();
  const submit = (): Promise<void> => lookAs(name.trim()).catch((thrown) => setRefusal(asRefusal(thrown)));
  return (
    <>
      <p class="hint">
        {user ? `You see the data as ${user.name}${rolesOf(user.roles)}.` : "You see the data without a user."}
      </p>
      {refusal && <Problem refusal={refusal} />}
      <Form class="cluster" onSubmit={submit}>
        <label for="look-as">Look as</label>
        <input
          id="look-as"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <Button look="small" isDisabled={name.trim() === ""}>
          Look
        </Button>
      </Form>
    </>
  );
}

function rolesOf(roles: readonly string[]): string {
  return roles.length === 0 ? "" : ` (${roles.join(", ")})`;
}

/** `owner (user_id), admins`. */
function wordsFor({ owner, admin }: MemberAccess, rule = ADMINS): string {
  const words = rule === "owner" ? `owner (${owner})` : rule;
  return admin === "all" && rule !== ADMINS && rule !== "anyone" ? `${words}, ${ADMINS}` : words;
}

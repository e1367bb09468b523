import { useId, useState } from "preact/hooks";
import { credentialHeaders, keepCredentials } from "../api/credentials.ts";
import { type Lacking, type Question, question } from "../api/guard.ts";
import { asRefusal, type Refusal, refusalOf } from "../api/refusal.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/notice.tsx";
import { useStore } from "../ui/store.ts";

/** Asks for a key or token when a request lacks one. */
export function SignIn() {
  const asked = useStore(question);
  return asked ? <SignInDialog key={asked.refusal.code} asked={asked} /> : null;
}

const TITLES: Readonly<Record<Lacking, string>> = {
  "api-key": "An API key is needed",
  token: "A token is needed",
  login: "Please log in",
  either: "This server is guarded",
};

function SignInDialog({ asked }: { asked: Question }) {
  const { lacking, refusal, answer } = asked;
  const [typed, setTyped] = useState({ apiKey: "", token: "", email: "", password: "" });
  const [failure, setFailure] = useState<Refusal>();
  const set = (name: keyof typeof typed) => (value: string) => setTyped({ ...typed, [name]: value.trim() });

  const submit = async (): Promise<void> => {
    const { apiKey, token, email, password } = typed;
    try {
      const given = token || (email === "" ? "" : await login(email, password));
      if (apiKey === "" && given === "") return;
      keepCredentials({ ...(apiKey === "" ? {} : { apiKey }), ...(given === "" ? {} : { token: given }) });
      answer(true);
    } catch (thrown) {
      setFailure(asRefusal(thrown));
    }
  };
  return (
    <Dialog title={TITLES[lacking]} shape="box" onClose={() => answer(false)}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Problem refusal={failure ?? refusal} />
        {lacking === "login" && (
          <>
            <Input label="Email" type="email" onInput={set("email")} />
            <Input label="Password" type="password" onInput={set("password")} />
          </>
        )}
        {(lacking === "api-key" || lacking === "either") && (
          <Input label="API key" type="password" onInput={set("apiKey")} />
        )}
        {lacking !== "api-key" && (
          <Input label={lacking === "login" ? "or a token" : "Token"} type="password" onInput={set("token")} />
        )}
        <p class="hint">Kept in this tab only, and gone when you close it.</p>
        <div class="actions">
          <button type="button" class="button" onClick={() => answer(false)}>
            Not now
          </button>
          <button type="submit" class="button primary">
            Continue
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Input({ label, type, onInput }: { label: string; type: string; onInput: (value: string) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

/** Exchanges email and password for a token. */
async function login(email: string, password: string): Promise<string> {
  const response = await fetch("/login", {
    method: "POST",
    headers: { ...credentialHeaders(), "Content-Type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const text = await response.text();
  if (!response.ok) throw refusalOf(response.status, text);
  return (JSON.parse(text) as { accessToken: string }).accessToken;
}

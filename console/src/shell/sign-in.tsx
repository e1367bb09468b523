import { useId, useState } from "preact/hooks";
import { credentialHeaders, keepCredentials } from "../api/credentials.ts";
import { type Lacking, type Question, question } from "../api/guard.ts";
import { tokenOf } from "../api/look-as.ts";
import { asRefusal, Refusal, refusalOf } from "../api/refusal.ts";
import { useStore } from "../api/store.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Form } from "../ui/form.tsx";
import { Problem } from "../ui/notice.tsx";

/** Asks for a key or token if a request lacks one. */
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

const WANTED: Readonly<Record<Lacking, string>> = {
  "api-key": "the key",
  token: "the token",
  login: "an email, or a token",
  either: "a key or a token",
};

function SignInDialog({ asked }: { asked: Question }) {
  const { lacking, refusal, answer } = asked;
  const [typed, setTyped] = useState({ apiKey: "", token: "", email: "", password: "" });
  const [failure, setFailure] = useState<Refusal>();
  const set = (name: keyof typeof typed) => (value: string) => setTyped({ ...typed, [name]: value.trim() });

  const submit = async (): Promise<void> => {
    const { apiKey, token, email, password } = typed;
    try {
      const given = token || (email === "" ? "" : await (password === "" ? tokenOf(email) : login(email, password)));
      if (apiKey === "" && given === "") throw new Refusal(0, "", "Nothing was typed", `Type ${WANTED[lacking]}.`);
      const [wrong] = /[^\x20-\x7e]/u.exec(apiKey + given) ?? [];
      // No request could be sent with it.
      if (wrong) throw new Refusal(0, "", "This cannot be sent", `A key or token has no “${wrong}”. Copy it again.`);
      keepCredentials({ ...(apiKey === "" ? {} : { apiKey }), ...(given === "" ? {} : { token: given }) });
      answer(true);
    } catch (thrown) {
      setFailure(asRefusal(thrown));
    }
  };
  return (
    <Dialog title={TITLES[lacking]} shape="box" onClose={() => answer(false)}>
      <Form class="stack" onSubmit={() => submit()}>
        {failure || isRejected(refusal) ? <Problem refusal={failure ?? refusal} /> : <p>{refusal.message}</p>}
        {lacking === "login" && (
          <>
            <Input label="Email" type="email" isFirst onInput={set("email")} />
            <Input label="Password" type="password" onInput={set("password")} />
          </>
        )}
        {(lacking === "api-key" || lacking === "either") && (
          <Input label="API key" type="password" isFirst onInput={set("apiKey")} />
        )}
        {lacking !== "api-key" && (
          <Input
            label={lacking === "login" ? "or a token" : "Token"}
            type="password"
            isFirst={lacking === "token"}
            onInput={set("token")}
          />
        )}
        {lacking === "login" && (
          <p class="hint">On the machine of the server, users of the layer sign-in need no password here.</p>
        )}
        <p class="hint">Kept in this tab only, until you close it.</p>
        <div class="cluster actions">
          <Button onClick={() => answer(false)}>Not now</Button>
          <Button look="primary">Continue</Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface InputProps {
  readonly label: string;
  readonly type: string;
  /** Has the focus when the dialog opens. */
  readonly isFirst?: boolean;
  readonly onInput: (value: string) => void;
}

function Input({ label, type, isFirst, onInput }: InputProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type}
        autocomplete="off"
        spellcheck={false}
        data-first={isFirst}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

/** Credentials were entered, but rejected. */
function isRejected({ code, status }: Refusal): boolean {
  return status !== 401 || code === "TOKEN_EXPIRED" || code === "TOKEN_INVALID";
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

import { useEffect, useState } from "react";
import { hasHalfLogin } from "../shared/api/client.ts";
import { loginCode, signIn } from "../shared/api/login.ts";
import { pageKey } from "../shared/api/page-key.ts";
import { useStore } from "../shared/stores/store.ts";
import { Button } from "../shared/ui/button.tsx";

const HALF =
  "This browser has only half of its login: an older banto signed it in, or its site data was cleared. Sign in again.";

/** Shown to a browser that isn't signed in. */
export function SignIn() {
  const [code, setCode] = useState(loginCode);
  const [problem, setProblem] = useState("");
  const isHalf = useStore(hasHalfLogin);
  useEffect(() => pageKey.onKept(() => location.reload()), []);

  async function submit(secret: { token: string } | { code: string }, refused: string) {
    try {
      if (await signIn(secret)) return;
      setCode(null);
      setProblem(refused);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <main className="m-auto w-full max-w-md p-5">
      <h1 className="text-xl font-semibold">Sign in to banto</h1>
      <p role="alert" className="mt-1 min-h-5 text-failed">
        {problem}
      </p>
      {isHalf && problem === "" && <p className="mt-1">{HALF}</p>}
      {code === null ? (
        <TokenForm onSubmit={(token) => submit({ token }, "Wrong token.")} />
      ) : (
        <LinkButton onClick={() => submit({ code }, "This link has expired or was already used.")} />
      )}
    </main>
  );
}

/** A button, because programs that follow links to preview them don't press buttons. */
function LinkButton({ onClick }: { onClick(): void }) {
  return (
    <>
      <p className="mt-3 text-muted">
        Your link signs this browser in. It works once, and gives full access to this board and its terminals.
      </p>
      <Button look="primary" className="mt-4 h-9 px-4" autoFocus onClick={onClick}>
        Sign in
      </Button>
    </>
  );
}

function TokenForm({ onSubmit }: { onSubmit(token: string): void }) {
  return (
    <>
      <p className="mt-3 text-muted">
        On the machine banto runs on, run{" "}
        <code className="rounded bg-line px-1 font-mono text-sm">bin/banto login</code> and open the link it
        prints. Or paste the token from the file{" "}
        <code className="rounded bg-line px-1 font-mono text-sm">token</code> in its data directory:
      </p>
      <form
        className="mt-4 flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(String(new FormData(event.currentTarget).get("token") ?? ""));
        }}
      >
        <input
          name="token"
          type="password"
          required
          aria-label="Token"
          placeholder="Token"
          autoComplete="current-password"
          className="h-9 min-w-0 flex-1 rounded-md border border-line-strong bg-card px-3 font-mono text-sm outline-none focus:border-accent touch:h-11 touch:text-lg"
        />
        <Button type="submit" look="primary" className="h-9">
          Sign in
        </Button>
      </form>
    </>
  );
}

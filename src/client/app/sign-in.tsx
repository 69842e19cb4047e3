import { useState } from "react";
import { signIn } from "../shared/api/login.ts";
import { forgetLoginCode } from "../shared/stores/view.ts";
import { Button } from "../shared/ui/button.tsx";

/** Shown to a browser that has no cookie: how to get one. */
export function SignIn() {
  const [problem, setProblem] = useState(
    location.pathname === "/login" && location.search.includes("code=")
      ? "This link has expired or was already used."
      : "",
  );

  async function submit(token: string) {
    try {
      if (await signIn(token)) {
        forgetLoginCode();
        location.reload();
      } else setProblem("Wrong token.");
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
          void submit(String(new FormData(event.currentTarget).get("token") ?? ""));
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
    </main>
  );
}

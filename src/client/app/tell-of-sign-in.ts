import type { SignInEvent } from "../../contract.ts";
import { showToast } from "../shared/ui/toast.tsx";

/** Every open page says so until somebody dismisses it, because a signed-in browser can do anything. */
export function tellOfSignIn({ browser, from }: SignInEvent) {
  showToast({
    title: "Another browser signed in",
    detail: `${browser}, from ${from ?? "this machine"}. If it wasn't you, delete the file "token" in banto's data directory and restart it: every login ends.`,
    stays: true,
  });
}

import { useQuery } from "@tanstack/react-query";
import { newLoginLink } from "../../shared/api/login.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog, DialogHeader } from "../../shared/ui/dialog.tsx";
import { closeDialog } from "../../shared/ui/open-dialog.ts";
import { showToast } from "../../shared/ui/toast.tsx";

/** A link for the phone, or for a second browser. */
export function LoginLink() {
  const { data, error } = useQuery({
    queryKey: ["login-link"],
    queryFn: newLoginLink,
    gcTime: 0,
    staleTime: 0,
  });

  async function copy(url: string) {
    await navigator.clipboard.writeText(url);
    closeDialog();
    showToast({ title: "Link copied", detail: "It works once, within an hour." });
  }

  return (
    <Dialog label="Sign in another browser" onClose={closeDialog}>
      <DialogHeader title="Sign in another browser" onClose={closeDialog} />
      <div className="px-5 pb-5">
        <p className="text-sm text-muted">
          Open this link there. It works once, within an hour, and gives full access to this board and its
          terminals.
        </p>
        <p className="my-3 min-h-10 rounded-md border border-line bg-card px-3 py-2 font-mono text-xs break-all select-all">
          {error?.message ?? data?.url}
        </p>
        <Button look="primary" disabled={!data} onClick={() => data && void copy(data.url)}>
          Copy
        </Button>
      </div>
    </Dialog>
  );
}

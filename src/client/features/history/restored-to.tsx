import { CopyButton } from "../../shared/ui/copy-button.tsx";
import { MiddleCut } from "../../shared/ui/middle-cut.tsx";

/** Where a restored worktree is. */
export function RestoredTo({ path, branch }: { path: string; branch: string }) {
  return (
    <dl aria-label="Restored" className="border-t border-line px-3 py-1.5 text-xs text-muted">
      <Line name="Path" text={path} copy="Copy the path" />
      <Line name="Branch" text={branch} copy="Copy the branch" />
    </dl>
  );
}

function Line({ name, text, copy }: { name: string; text: string; copy: string }) {
  return (
    <div className="flex items-center gap-2">
      <dt className="w-12 shrink-0">{name}</dt>
      <dd className="flex min-w-0 flex-1 items-center justify-between gap-2">
        <MiddleCut text={text} className="font-mono text-text" />
        <CopyButton text={text} label={copy} />
      </dd>
    </div>
  );
}

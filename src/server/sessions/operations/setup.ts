// A project's setup command runs in the agent's own terminal before the agent: people can read its output, answer its
// questions and end it with ^C, and if it fails, the session ends. Until it has succeeded in a worktree, every start
// there runs it first.

import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { administrationOf, canonicalPlace } from "../../git/repository/administration.ts";
import { commonIfThere } from "../../git/trash/trash.ts";

/** In the worktree's administrative directory, so that it is archived and restored with it. */
const MARK = "banto-needs-setup";

// $1 is the command, $2 the mark, and the rest is the agent's argv, so that nothing has to be quoted. The trap keeps
// this shell alive after ^C, so that it can say what happened; its children get the default back. The blank before $1
// keeps a command that starts with a dash from being an option.
const SCRIPT = `
printf '\\033[2mbanto: setting up: %s\\033[0m\\n' "$1"
trap : INT QUIT
/bin/sh -c " $1"
code=$?
trap - INT QUIT
if [ "$code" -ne 0 ]; then
  case $code in
    130) why='was interrupted' ;;
    *) why="failed with exit code $code" ;;
  esac
  printf '\\n\\033[31mbanto: the setup command %s, so the agent was not started.\\033[0m\\n' "$why"
  printf "Change it in the project's settings, or fix what it complains about; then resume or retry.\\n"
  exit "$code"
fi
rm -f "$2"
shift 2
exec "$@"
`;

export const withSetup = (setupCommand: string, mark: string, argv: string[]): string[] => [
  ...["/bin/sh", "-c", SCRIPT, "banto-setup", setupCommand, mark],
  ...argv,
];

/** Marks a new worktree. */
export async function askForSetup(repository: string, worktree: string): Promise<void> {
  const mark = await markOf(repository, worktree);
  if (mark !== undefined) await writeFile(mark, "");
}

/** The mark, which is removed when the setup command succeeds; undefined if it has, or if there was none. */
export async function setupMark(repository: string, worktree: string): Promise<string | undefined> {
  const mark = await markOf(repository, worktree);
  return mark !== undefined && existsSync(mark) ? mark : undefined;
}

async function markOf(repository: string, worktree: string): Promise<string | undefined> {
  const common = await commonIfThere(repository);
  const administration = common && (await administrationOf(common, await canonicalPlace(worktree)));
  return administration ? join(administration.directory, MARK) : undefined;
}

const MOST_NOTES = 10;

/** Shows notes to the person before the program starts. */
export function withNotes(notes: string[], argv: string[]): string[] {
  if (notes.length === 0) return argv;
  const more = notes.length - MOST_NOTES;
  const shown = more > 0 ? [...notes.slice(0, MOST_NOTES), `${more} more are in its log.`] : notes;
  const text = shown.map((note) => `banto: ${note}`).join("\n");
  return ["/bin/sh", "-c", 'printf "%s\\n\\n" "$1"; shift; exec "$@"', "banto-notes", text, ...argv];
}

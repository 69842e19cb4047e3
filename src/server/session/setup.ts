// A project's setup command runs in the agent's own terminal before the agent does: what it prints can be
// read, what it asks can be answered, ^C ends it, and its failure ends the session.

// $1 is the command and the rest the agent's own argv: nothing is ever quoted or put together here.
// The trap keeps this shell alive through a ^C, so that it can say what happened; what it runs gets the
// default back. The blank before $1 keeps a command that begins with a dash from being an option.
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
  printf "Change it in the project's settings, or put right what it complains of; then retry.\\n"
  exit "$code"
fi
shift
exec "$@"
`;

export const withSetup = (setupCommand: string | null, argv: string[]): string[] =>
  setupCommand === null ? argv : ["/bin/sh", "-c", SCRIPT, "banto-setup", setupCommand, ...argv];

/** Says something to the person before the program begins. */
export const withNote = (note: string | undefined, argv: string[]): string[] =>
  note === undefined
    ? argv
    : ["/bin/sh", "-c", 'printf "banto: %s\\n\\n" "$1"; shift; exec "$@"', "banto-note", note, ...argv];

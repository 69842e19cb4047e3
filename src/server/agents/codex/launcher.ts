// Starts a private app-server, waits until it listens, runs Codex's terminal program on it, and ends the server after
// that. Never the daemon that Codex would start by itself: every session shares it, it gives their tools the first
// session's environment, and it outlives them all.

// $1 is the server's socket, and the rest is Codex's argv. Whatever ends this shell, even a SIGKILL, closes its end of the
// pipe, which is all that the guard waits for. A turn that runs holds the server up until it is asked twice. If it crashed
// long before, its number may be another process's by now: nothing is ended but what has this socket in its arguments.
const SCRIPT = `
socket=$1
shift
folder=\${socket%/*}
log=$folder/app-server.log
mkdir -p -m 700 "$folder" && rm -f "$socket" "$folder/alive" && mkfifo -m 600 "$folder/alive" || exit 1
"$1" app-server --listen "unix://$socket" </dev/null >"$log" 2>&1 &
server=$!
(
  trap '' HUP INT TERM
  exec <"$folder/alive" >/dev/null 2>&1
  read -r _
  tries=0
  while grep -qF "unix://$socket" "/proc/$server/cmdline"; do
    if [ "$tries" -ge 30 ]; then kill -KILL "$server"; elif [ "$((tries % 5))" -eq 0 ]; then kill -TERM "$server"; fi
    tries=$((tries + 1))
    sleep 0.05
  done
  rm -f "$socket" "$folder/alive"
) &
guard=$!
exec 9>"$folder/alive"
trap : HUP INT TERM
tries=0
while [ ! -S "$socket" ] && [ "$tries" -lt 400 ] && kill -0 "$server" 2>/dev/null; do
  tries=$((tries + 1))
  sleep 0.05
done
if [ -S "$socket" ]; then
  "$@" 9>&-
  code=$?
else
  printf "banto: Codex's app-server did not start:\\n"
  tail -n 20 "$log"
  code=1
fi
exec 9>&-
while kill -0 "$guard" 2>/dev/null; do wait "$guard"; done
trap - HUP INT TERM
[ "$code" -gt 128 ] && kill -"$((code - 128))" "$$" 2>/dev/null
exit "$code"
`;

export const besideServer = (socket: string): string[] => ["/bin/sh", "-c", SCRIPT, "banto-codex", socket];

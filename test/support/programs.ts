// The programs of the system that tests run for real, and the Debian packages that bring them.
// One that is missing fails the test that needs it, by name; nothing is skipped in silence.

export const PROGRAMS = { git: "git", htop: "htop", less: "less", tmux: "tmux", vim: "vim" } as const;

export function program(name: keyof typeof PROGRAMS): string {
  const path = Bun.which(name);
  if (path === null)
    throw new Error(`this test runs ${name}: install it (apt-get install ${PROGRAMS[name]})`);
  return path;
}

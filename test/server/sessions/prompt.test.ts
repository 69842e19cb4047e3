// Screens as programs leave them, with ▮ where the cursor is: which wait for a person, and which do not.
import { describe, expect, test } from "bun:test";
import { findPrompt, type PromptScreen } from "../../../src/server/agents/screen-prompts/prompt.ts";

const COLS = 100;

function screen(drawing: string, more: Partial<PromptScreen> = {}): PromptScreen {
  const rows = drawing.split("\n");
  const y = rows.findIndex((row) => row.includes("▮"));
  const x = Bun.stringWidth((rows[y] ?? "").split("▮")[0] ?? "");
  const text = rows.map((row) => row.replace("▮", "").trimEnd()).join("\n");
  return { text, cols: COLS, cursor: { x, y }, alternate: false, title: "", ...more };
}

const RULE = "─".repeat(COLS);

const WAITING: [name: string, drawing: string, asks: string, more?: Partial<PromptScreen>][] = [
  ["bash", "make: done\nme@desk:~/banto$ ▮", "me@desk:~/banto$"],
  ["bash of root", "root@vm:/tmp# ▮", "root@vm:/tmp#"],
  ["a Red Hat prompt", "[root@host ~]# ▮", "[root@host ~]#"],
  ["sh", "$ ▮", "$"],
  ["sh of root", "# ▮\n\n\n", "#"],
  ["bash without a profile", "bash-5.2$ ▮", "bash-5.2$"],
  ["zsh", "desk% ▮", "desk%"],
  ["zsh with the time at the right", "desk% ▮                                      12:34:56", "desk%"],
  ["oh-my-zsh", "➜  banto git:(main) ✗ ▮", "➜  banto git:(main) ✗"],
  ["starship", "banto on  main via 🥟\n❯ ▮", "❯"],
  ["fish", "me@desk ~/banto> ▮", "me@desk ~/banto>"],
  ["a directory in other scripts", "me@desk:~/日本/é$ ▮", "me@desk:~/日本/é$"],
  ["python", "Python 3.11.7\n>>> ▮", ">>>"],
  ["ipython", "In [12]: ▮", "In [12]:"],
  ["node", "Welcome to Node.js v20.\n> ▮", ">"],
  ["irb", "irb(main):001:0> ▮", "irb(main):001:0>"],
  ["mysql", "mysql> ▮", "mysql>"],
  ["psql", "shop=# ▮", "shop=#"],
  ["gdb", "(gdb) ▮", "(gdb)"],
  ["pdb", "-> x = 1\n(Pdb) ▮", "(Pdb)"],
  ["the shell's select", "1) one\n2) two\n#? ▮", "#?"],
  ["[y/N]", "Remove 3 files? [y/N] ▮", "Remove 3 files? [y/N]"],
  ["[y/N] without a blank", "Remove 3 files? [y/N]▮", "Remove 3 files? [y/N]"],
  ["(y/n)?", "Overwrite a.txt (y/n)? ▮", "Overwrite a.txt (y/n)?"],
  [
    "apt",
    "After this operation, 12 MB will be used.\nDo you want to continue? [Y/n] ▮",
    "Do you want to continue? [Y/n]",
  ],
  [
    "ssh's new host",
    "This key is not known by any other names.\nAre you sure you want to continue connecting (yes/no/[fingerprint])? ▮",
    "Are you sure you want to continue connecting (yes/no/[fingerprint])?",
  ],
  [
    "a question longer than the screen is wide",
    `${"x".repeat(COLS)}\nyes or no (yes/no)? ▮`,
    `${"x".repeat(COLS)}yes or no (yes/no)?`,
  ],
  [
    "git add -p",
    "@@ -1 +1 @@\n(1/2) Stage this hunk [y,n,q,a,d,e,?]? ▮",
    "(1/2) Stage this hunk [y,n,q,a,d,e,?]?",
  ],
  ["Continue?", "Continue? ▮", "Continue?"],
  ["Do you want to proceed?", "Do you want to proceed? ▮", "Do you want to proceed?"],
  ["Password:", "Password: ▮", "Password:"],
  ["sudo", "[sudo] password for me: ▮", "[sudo] password for me:"],
  ["ssh", "me@example.org's password: ▮", "me@example.org's password:"],
  [
    "a passphrase",
    "Enter passphrase for key '/home/me/.ssh/id_ed25519': ▮",
    "Enter passphrase for key '/home/me/.ssh/id_ed25519':",
  ],
  ["git", "Username for 'https://example.org': ▮", "Username for 'https://example.org':"],
  ["a second factor", "Verification code: ▮", "Verification code:"],
  ["npm login", "npm notice Log in\nUsername: ▮", "Username:"],
  ["npm init", "Press ^C at any time to quit.\npackage name: (banto) ▮", "package name: (banto)"],
  ["npm init's end", "}\n\n\nIs this OK? (yes) ▮", "Is this OK? (yes)"],
  [
    "npx",
    "Need to install the following packages:\ncreate-vite@5\nOk to proceed? (y) ▮",
    "Ok to proceed? (y)",
  ],
  ["a line to be entered", "Enter a name for the branch: ▮", "Enter a name for the branch:"],
  ["a choice", "1) a\n2) b\nYour choice: ▮", "Your choice:"],
  ["Press any key", "Press any key to continue . . . ▮", "Press any key to continue . . ."],
  ["Press ENTER", "Press ENTER or type command to continue▮", "Press ENTER or type command to continue"],
  [
    "Press [Enter]",
    "Press [ENTER] to continue or Ctrl-c to cancel adding it.▮",
    "Press [ENTER] to continue or Ctrl-c to cancel adding it.",
  ],
  [
    "inquirer's question",
    "? What is your project called? (my-app) ▮",
    "? What is your project called? (my-app)",
  ],
  [
    "inquirer's list",
    "? Pick a framework (Use arrow keys)\n❯ React\n  Vue\n  Svelte▮",
    "? Pick a framework (Use arrow keys)",
  ],
  [
    "clack's question",
    "┌  Create something\n│\n◆  Where should it go?\n│  ./here▮\n└",
    "Where should it go?",
  ],
  ["more", "8\n9\n--More--▮", "--More--"],
  ["more with a percentage", "8\n9\n--More--(12%)▮", "--More--(12%)"],
  ["less at the end", "4\n5\n(END)▮", "(END)", { alternate: true }],
  ["less in git", "commit 1\n:▮", ":", { alternate: true }],
  [
    "man",
    " NAME\n Manual page git(1) line 1 (press h for help or q to quit)▮",
    "Manual page git(1) line 1 (press h for help or q to quit)",
    { alternate: true },
  ],
  ["vim", '▮one line\n~\n~\n~\n~\n"x" 1 line, 9 bytes', '"x" 1 line, 9 bytes', { alternate: true }],
  ["vim's insert mode", "one▮\ntwo\nthree\n-- INSERT --", "-- INSERT --", { alternate: true }],
  [
    "the editor of a commit",
    "▮\n# Please enter the commit message for your changes. Lines starting\n# with '#' will be ignored\n\nhelix",
    "helix",
    { alternate: true },
  ],
  [
    "nano",
    "  GNU nano 7.2\n▮\n^G Help      ^O Write Out\n^X Exit      ^R Read File",
    "^X Exit      ^R Read File",
    { alternate: true },
  ],
  [
    "Claude Code's input box",
    `● FINISHED\n\n✻ Worked for 0s\n\n${RULE}\n❯ ▮\n${RULE}\n  ? for shortcuts · ← for agents        ● high · /effort\n\n`,
    "❯",
    { title: "✳ Claude Code" },
  ],
  [
    "its input box with something typed in it",
    `${RULE}\n❯ first line\n  and the second▮\n${RULE}\n  ? for shortcuts`,
    "❯ first line",
    { title: "✳ Claude Code" },
  ],
  [
    "an older one's",
    "╭──────────────────────────────╮\n│ > ▮                          │\n╰──────────────────────────────╯\n  ? for shortcuts",
    ">",
  ],
  [
    "Claude Code's permission dialog",
    `● Write(a.txt)\n\n${RULE}\n Create file\n a.txt\n╌╌╌╌╌╌\n  1 hello\n  2 world\n╌╌╌╌╌╌\n Do you want to create a.txt?\n▮ ❯ 1. Yes\n   2. Yes, allow all edits during this session (shift+tab)\n   3. No\n\n Esc to cancel · Tab to amend\n`,
    "Do you want to create a.txt?",
    { title: "✳ Claude Code" },
  ],
  [
    "its trust dialog",
    " Claude Code'll be able to read, edit, and execute files here.\n\n Security guide\n\n▮ ❯ 1. Yes, I trust this folder\n   2. No, exit\n\n Enter to confirm · Esc to cancel",
    "Security guide",
  ],
  [
    "a menu with the second choice marked, in a frame",
    "│ Which one?          │\n│   1) red            │\n│ ❯ 2) green          │\n│   3) blue           │▮",
    "Which one?",
  ],
];

for (const [name, drawing, asks, more] of WAITING) {
  test(`${name} waits`, () => {
    expect(findPrompt(screen(drawing, more), true)).toBe(asks);
  });

  test(`${name} does not while there is output`, () => {
    expect(findPrompt(screen(drawing, more), false)).toBeUndefined();
  });
}

const RUNNING: [name: string, drawing: string, more?: Partial<PromptScreen>][] = [
  ["an empty screen", "▮\n\n\n"],
  ["a command that was just entered", "me@desk:~$ sleep 100\n▮"],
  ["a command that is being typed", "me@desk:~$ git sta▮"],
  ["a compiler between two lines", "   Compiling serde v1.0\n   Compiling banto v0.1\n▮"],
  ["a compiler in the middle of one", "   Compiling serde▮"],
  ["a progress bar", "Building [=====>      ] 45/100: serde▮"],
  ["the tip of one", "[======> ▮"],
  ["a percentage", "Progress: 45% ▮"],
  ["a percentage with a blank", "Progress: 45 % ▮"],
  ["curl's bar", "######################## ▮"],
  ["pip's bar", "     ━━━━━━━━━━━━━━━━ 1.2/3.4 MB 5.6 MB/s eta 0:00:01▮"],
  ["Downloading…", "Downloading… ▮"],
  ["Downloading with a colon", "Downloading packages: ▮"],
  ["Checking a login", "Checking login: ▮"],
  ["a spinner", "⠙ Installing dependencies ▮"],
  ["a spinner of dashes", "- Waiting for the server ▮"],
  ["a log line with a colon in the middle of the screen", "Password:\nEnter a name:\nConnecting to db\n▮"],
  ["a question that was answered", "Continue? [y/N] y\n▮"],
  ["a question somewhere above", "Proceed? (yes/no)\nyes\nDeleting 1,000 files\n▮"],
  ["prose that stops at a question", "So what should we do about the login?▮"],
  ["prose that stops at a word", "The shell shows $ and▮"],
  ["an arrow", "Renaming a -> ▮"],
  ["a tag", "<p>some text</p> ▮"],
  ["a price", "Total: 5$ off ▮"],
  ["a heading", "## Results▮"],
  ["a dev server", "  ➜  Local:   http://localhost:5173/\n  ➜  press h + enter to show help\n▮"],
  ["a list in an answer", "1. Do this\n2. Do that\n▮"],
  ["a quoted list", "> 1. Do this\n> 2. Do that\n▮"],
  ["a list behind a mark, long ago", `❯ 1. Fix this\n  2. Fix that\n${"working on it\n".repeat(10)}▮`],
  ["npm's own announcement", "\n> banto@0.1.0 build\n> tsc\n\n▮"],
  ["a prompt with something below it", "$ ▮\nleft over"],
  ["a cursor in the middle of a line", "name: (x) ▮and more"],
  ["htop", "  PID USER\n 1868 root\nF1Help  F2Setup F3SearchF4FilterF10Quit▮", { alternate: true }],
  ["watch", "Every 2.0s: date      desk: now\n\nFri 1 Jan\n▮", { alternate: true }],
  ["less that follows", "line\nWaiting for data... (interrupt to abort)▮", { alternate: true }],
  [
    "Claude Code at work",
    `❯ hi\n\n✶ Gesticulating…\n\n${RULE}\n❯ ▮\n${RULE}\n  esc to interrupt · ← for agents      ● high · /effort\n`,
    { title: "⠐ Claude Code" },
  ],
  [
    "Claude Code at work, said by its screen alone",
    `✶ Gesticulating…\n\n${RULE}\n❯ ▮\n${RULE}\n  esc to interrupt`,
  ],
  [
    "Claude Code at work, said by its title alone",
    `✶ Gesticulating…\n\n${RULE}\n❯ ▮\n${RULE}\n  ⏵⏵ accept edits on`,
    { title: "⠂ Fix the login" },
  ],
  ["a table", `name\n${RULE}\nvalue ▮\n${RULE}\n`],
];

for (const [name, drawing, more] of RUNNING) {
  test(`${name} does not wait`, () => {
    expect(findPrompt(screen(drawing, more), true)).toBeUndefined();
  });
}

describe("whatever the screen holds, the answer comes fast and without an exception:", () => {
  test.each([
    ["a long line of one letter", "y".repeat(20_000)],
    ["brackets", "[(".repeat(10_000)],
    ["prompt words", "enter password continue ".repeat(1_000)],
    ["blanks", " ".repeat(20_000)],
    ["borders", `${RULE}\n`.repeat(300)],
    ["colons", ":".repeat(20_000)],
    ["wide and composed characters", "👨‍👩‍👧‍👦日é".repeat(2_000)],
  ])("%s", (_, text) => {
    const started = performance.now();
    for (const x of [0, 50, 499])
      findPrompt({ text, cols: COLS, cursor: { x, y: 0 }, alternate: true, title: "" }, true);
    findPrompt({ text, cols: COLS, cursor: { x: 3, y: 299 }, alternate: false, title: "" }, true);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

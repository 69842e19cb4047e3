import { afterEach, expect, setSystemTime, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../src/db/open.ts";
import { createAudit } from "../../src/server/audit/audit.ts";
import { createEvents } from "../../src/server/events/events.ts";
import { createLog } from "../../src/server/log.ts";
import { createProjects } from "../../src/server/projects/projects.ts";
import { createSessionRows, requireMayLeave } from "../../src/server/sessions/store.ts";
import { createTasks } from "../../src/server/tasks/tasks.ts";
import { TestRepository } from "../support/repository.ts";
import { tempDir } from "../support/temp.ts";

afterEach(() => void setSystemTime());

const agent = { name: "shell" } as never;

const WHO = { by: "token", name: "a script", login: null } as const;

test("a row's updatedAt grows with each change, though the clock stands still or is set back", async () => {
  using temp = tempDir("clock");
  using repository = await TestRepository.create();
  const store = openStore(join(temp.path, "banto.db"));
  const events = createEvents({ log: createLog(() => {}) });
  const told: Record<"task" | "project", string[]> = { task: [], project: [] };
  events.subscribe(({ type, row }) => {
    if (type === "task" || type === "project") told[type].push((row as { updatedAt: string }).updatedAt);
  });
  const audit = createAudit({ store, events });
  const projects = createProjects({ store, events, agents: { require: () => agent }, audit });
  const tasks = createTasks({ store, events, agents: { require: () => agent }, audit, requireMayLeave });
  const rows = createSessionRows({ store, events });

  setSystemTime(new Date("2026-11-17T12:00:00Z"));
  const project = await projects.create({ path: repository.path });
  await projects.update(project.id, { name: "Renamed" }, WHO);
  const { id } = tasks.create({ projectId: project.id, title: "Task", status: "active" });
  tasks.update(id, { title: "Renamed" }, WHO);

  setSystemTime(new Date("2026-11-17T11:00:00Z"));
  rows.accept(id, { type: "start" }, () => ({ columns: { sessionId: "one" } }));
  const operation = rows.operation(id);
  if (operation === undefined) throw new Error("nothing was begun");
  rows.advance(operation, "prepared", { columns: { branch: "banto/x" } });
  rows.report(id, "one", { type: "ended", ok: false }, () => ({ columns: { sessionError: "No room." } }));
  tasks.update(id, { pinned: true }, WHO);
  rows.accept(id, { type: "remove" }, () => ({ columns: { deletedAt: new Date().toISOString() } }));
  tasks.restore(id);
  projects.remove(project.id);
  projects.restore(project.id);
  store.close();

  for (const [type, count] of [
    ["task", 8],
    ["project", 4],
  ] as const) {
    expect(told[type]).toHaveLength(count);
    expect(told[type]).toEqual([...new Set(told[type])].toSorted());
  }
});

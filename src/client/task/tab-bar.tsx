import { chosenTab, TABS, type TabName } from "./tabs.ts";

const NAMES: Record<TabName, string> = { terminal: "Terminal", task: "Task", history: "History" };

export function TabBar({ taskId, current }: { taskId: string; current: TabName }) {
  const choose = (tab: TabName) => chosenTab.set({ taskId, tab });

  /** Arrow keys go from tab to tab here, and not from card to card. */
  function onKeyDown(event: React.KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(current) + step + TABS.length) % TABS.length] ?? current;
    choose(next);
    document.getElementById(`tab-${next}`)?.focus();
  }

  return (
    <div
      role="tablist"
      aria-label="Parts of the task"
      onKeyDown={onKeyDown}
      className="flex shrink-0 gap-4 border-b border-line px-5"
    >
      {TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`tab-${tab}`}
          aria-selected={tab === current}
          aria-controls="task-tab"
          tabIndex={tab === current ? 0 : -1}
          onClick={() => choose(tab)}
          className={`-mb-px h-9 border-b-2 text-sm font-medium touch:h-11 touch:min-w-14 ${
            tab === current ? "border-accent text-text" : "border-transparent text-muted hover:text-text"
          }`}
        >
          {NAMES[tab]}
        </button>
      ))}
    </div>
  );
}

import { Bell, BellOff, History, LayoutGrid, SquareKanban } from "lucide-react";
import { switches } from "../features/notify/switches.ts";
import { useStore } from "../shared/stores/store.ts";
import { type Page, showPage } from "../shared/stores/view.ts";
import { IconButton } from "../shared/ui/button.tsx";
import { openDialog } from "../shared/ui/open-dialog.ts";

const PAGES: { page: Page; name: string; keys: string; Icon: typeof History }[] = [
  { page: "board", name: "Board", keys: "G B", Icon: SquareKanban },
  { page: "terminals", name: "Terminals", keys: "G T", Icon: LayoutGrid },
  { page: "history", name: "History and trash", keys: "G H", Icon: History },
];

/** The pages, for windows that are wide enough. */
export function Rail({ page: current }: { page: Page }) {
  return (
    <nav
      aria-label="Pages"
      className="flex w-13 shrink-0 flex-col items-center gap-1 border-r border-line pt-2.5 narrow:hidden"
    >
      {PAGES.map(({ page, name, keys, Icon }) => (
        <button
          key={page}
          type="button"
          aria-label={name}
          aria-current={page === current ? "page" : undefined}
          title={`${name} (${keys})`}
          onClick={() => showPage(page)}
          className={`inline-flex size-8 items-center justify-center rounded-md transition-colors duration-100 hover:bg-line hover:text-text touch:size-11 ${
            page === current ? "bg-line text-text" : "text-faint"
          }`}
        >
          <Icon size={18} />
        </button>
      ))}
      <BellButton />
    </nav>
  );
}

function BellButton() {
  const isOn = useStore(switches, ({ desktop, sound }) => desktop || sound);
  return (
    <IconButton
      label={`Notifications: ${isOn ? "on" : "off"}`}
      className="mt-auto mb-2.5 size-8"
      onClick={() => openDialog({ kind: "notify" })}
    >
      {isOn ? <Bell size={18} /> : <BellOff size={18} />}
    </IconButton>
  );
}

import { Dialog, DialogHeader } from "../../shared/ui/dialog.tsx";
import { Kbd } from "../../shared/ui/kbd.tsx";
import { closeDialog } from "../../shared/ui/open-dialog.ts";
import { ScrollBox } from "../../shared/ui/scroll-box.tsx";
import { createCommands } from "./commands.ts";

/** All keyboard shortcuts. */
export function KeyHelp() {
  const commands = createCommands().filter(({ keys }) => keys !== undefined);
  const groups = [...new Set(commands.map(({ group }) => group))];
  return (
    <Dialog label="Keyboard shortcuts" onClose={closeDialog}>
      <DialogHeader title="Keyboard shortcuts" onClose={closeDialog} />
      <ScrollBox label="All keys" className="max-h-[70dvh]">
        {/* Not on the box that scrolls: with a limited height, text columns overflow sideways. */}
        <div className="gap-8 px-5 py-4 sm:columns-2">
          {groups.map((group) => (
            <section key={group} className="mb-5 break-inside-avoid">
              <h3 className="mb-1.5 text-xs text-faint">{group}</h3>
              <dl>
                {commands
                  .filter((command) => command.group === group)
                  .map(({ id, title, keys = [] }) => (
                    <div key={id} className="flex min-h-7 items-center justify-between gap-3">
                      <dt className="text-sm">{title}</dt>
                      <dd className="flex shrink-0 gap-1.5">
                        {keys.map((key) => (
                          <Kbd key={key} keys={key} />
                        ))}
                      </dd>
                    </div>
                  ))}
              </dl>
            </section>
          ))}
        </div>
      </ScrollBox>
    </Dialog>
  );
}

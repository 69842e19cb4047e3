import { useEffect } from "react";
import { useNotifySwitch, useProjects } from "../../shared/api/projects.ts";
import type { Project } from "../../shared/api/rows.ts";
import { useStore } from "../../shared/stores/store.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog, DialogHeader } from "../../shared/ui/dialog.tsx";
import { closeDialog } from "../../shared/ui/open-dialog.ts";
import { Switch } from "../../shared/ui/switch.tsx";
import { askPermission, permission, refreshPermission, show } from "./desktop.ts";
import { playTone } from "./sound.ts";
import { setSwitch, switches } from "./switches.ts";

/** How this browser notifies people, and which projects may. */
export function NotifySettings() {
  const { desktop, sound, ends } = useStore(switches);
  const { data: projects = [] } = useProjects();
  return (
    <Dialog label="Notifications and sound" onClose={closeDialog}>
      <DialogHeader title="Notifications and sound" onClose={closeDialog} />
      <div className="max-h-[70dvh] overflow-y-auto px-5 pb-4">
        <p className="mb-2 text-sm text-muted">
          Tells you once when an agent needs you, in one window, and not while you're looking at it. For this
          browser only.
        </p>
        <DesktopSwitch isOn={desktop} />
        <Switch
          label="Sound"
          hint="A short tone."
          isOn={sound}
          onChange={(isOn) => {
            setSwitch("sound", isOn);
            if (isOn) void playTone();
          }}
        />
        <Switch
          label="Also when a turn or session ends"
          hint="The agent isn't asking anything, but it won't go on without you."
          isOn={ends}
          onChange={(isOn) => setSwitch("ends", isOn)}
        />
        {projects.length > 0 && (
          <section aria-label="Projects" className="mt-2 border-t border-line pt-2">
            <h3 className="text-xs text-faint">Projects that may notify you, in every browser</h3>
            {projects.map((project) => (
              <ProjectSwitch key={project.id} project={project} />
            ))}
          </section>
        )}
      </div>
    </Dialog>
  );
}

function ProjectSwitch({ project }: { project: Project }) {
  const notify = useNotifySwitch(project.id);
  return (
    <Switch
      label={project.name}
      hint={notify.error && <span className="text-failed">{notify.error.message}</span>}
      isOn={project.notify}
      onChange={(isOn) => notify.mutate(isOn)}
    />
  );
}

function DesktopSwitch({ isOn }: { isOn: boolean }) {
  const allowed = useStore(permission);
  useEffect(() => {
    refreshPermission();
    window.addEventListener("focus", refreshPermission);
    return () => window.removeEventListener("focus", refreshPermission);
  }, []);
  const canBeOn = allowed !== "denied" && allowed !== "unsupported";
  return (
    <>
      <Switch
        label="Desktop notifications"
        hint={WORDS[allowed]}
        isOn={isOn && allowed === "granted"}
        isDisabled={!canBeOn}
        onChange={async (wanted) => setSwitch("desktop", wanted && (await askPermission()))}
      />
      {isOn && allowed === "granted" && (
        <Button onClick={() => show("banto", "This is what a notification looks like.", "banto-try")}>
          Try it
        </Button>
      )}
    </>
  );
}

const WORDS = {
  default: "The browser will ask you to allow it.",
  granted: "A click on one opens its card.",
  denied: "This browser blocks them. Allow notifications for this page in its site settings, then come back.",
  unsupported: "Not available here. Browsers allow notifications only on this machine or over HTTPS.",
};

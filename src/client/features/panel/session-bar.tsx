import { Ellipsis } from "lucide-react";
import { openDialog } from "../../shared/stores/dialog.ts";
import { chosenTab } from "../../shared/stores/tabs.ts";
import { Button, IconButton } from "../../shared/ui/button.tsx";
import { MiddleCut } from "../../shared/ui/middle-cut.tsx";
import { Ago, Elapsed } from "../../shared/ui/time.tsx";
import type { Offer, SessionAction } from "../../tasks/actions.ts";
import { useOffers } from "../../tasks/available-actions.ts";
import { activityOf, failureOf, hasNothing, isLive, since, standingOf } from "../../tasks/display-status.ts";
import { PanelGauges } from "../../tasks/gauges.tsx";
import { Reason } from "../../tasks/reason.tsx";
import { StateMark } from "../../tasks/state-mark.tsx";
import { type Task, taskActions } from "../../tasks/tasks.ts";

/** Where the session stands, why and since when, and what can be done about it now. */
export function SessionBar({ task }: { task: Task }) {
  const offers = useOffers(task);
  const failure = failureOf(task);
  const isIdle = hasNothing(task) && task.sessionOperation === null;
  const { visible, more } = split(task, offers);
  return (
    <section aria-label="Session" className="flex shrink-0 flex-col gap-2.5 px-5 pt-1 pb-3">
      {!isIdle && <StateLine task={task} />}
      <Reason task={task} />
      {isLive(task) && <PanelGauges task={task} />}
      {failure && <p className="text-sm break-words text-failed">{failure.reason}</p>}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {visible.map((offer, index) => (
          <OfferButton key={offer.action} task={task} offer={offer} isPrimary={index === 0} />
        ))}
        {visible.length === 1 && <p className="min-w-0 flex-1 text-xs text-muted">{visible[0]?.does}</p>}
        {more.length > 0 && (
          <IconButton
            label="More actions"
            hint="."
            onClick={() => openDialog({ kind: "task-menu", taskId: task.id })}
          >
            <Ellipsis size={16} />
          </IconButton>
        )}
      </div>
      {!isLive(task) && visible.length > 1 && <Words offers={visible} />}
    </section>
  );
}

/** What takes work away from an agent that runs is one step further away. */
function split(task: Task, offers: Offer[]) {
  if (!isLive(task)) return { visible: offers, more: [] };
  const isNear = ({ action }: Offer) => action !== "retry";
  return { visible: offers.filter(isNear), more: offers.filter((offer) => !isNear(offer)) };
}

function StateLine({ task }: { task: Task }) {
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-sm text-faint">
      <StateMark standing={standingOf(task)} />
      <Since task={task} />
      {task.branch && (
        <>
          <span aria-hidden>·</span>
          <MiddleCut text={task.branch} className="font-mono text-xs" />
        </>
      )}
    </p>
  );
}

function Since({ task }: { task: Task }) {
  if (task.sessionStatus === null) return null;
  if (!isLive(task)) return <Ago at={since(task)} />;
  if (task.sessionStartedAt === null || task.sessionOperation !== null) return null;
  const isWaiting = activityOf(task) !== null || task.sessionStatus === "waiting_for_input";
  return <Elapsed since={isWaiting ? since(task) : task.sessionStartedAt} />;
}

const KEYS: Partial<Record<SessionAction, string>> = {
  start: "S",
  resume: "S",
  stop: "S",
  retry: "R",
  complete: "X",
};

function OfferButton({ task, offer, isPrimary }: { task: Task; offer: Offer; isPrimary: boolean }) {
  const { act } = taskActions;
  const { action, label, does } = offer;
  const key = action === "start" && task.worktreePath !== null ? undefined : KEYS[action];
  return (
    <Button
      look={isPrimary && action !== "stop" ? "primary" : "plain"}
      className={action === "start" ? "h-9 px-4" : ""}
      title={key ? `${does} (${key})` : does}
      onClick={() => {
        act(task, action);
        chosenTab.set((choice) => (choice?.taskId === task.id ? null : choice));
      }}
    >
      {label}
    </Button>
  );
}

function Words({ offers }: { offers: Offer[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-2 gap-y-0.5 text-xs text-muted">
      {offers.map(({ action, label, does }) => (
        <div key={action} className="contents">
          <dt className="font-medium">{label}</dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}

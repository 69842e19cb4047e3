import { Button } from "../../shared/ui/button.tsx";
import { OnDay } from "../../shared/ui/time.tsx";
import { attempt } from "../../shared/ui/toast.tsx";
import { confirmClock, useClock } from "../../tasks/session-logs.ts";

/** The clock jumped, so nothing is deleted by itself before somebody says that it is right. */
export function ClockNotice() {
  const { data } = useClock();
  if (data?.doubtedSince == null) return null;
  return (
    <div
      role="status"
      className="mb-6 flex items-center gap-3 rounded-ui border border-needs/40 bg-card px-4 py-3 text-sm narrow:flex-col narrow:items-stretch"
    >
      <p className="min-w-0 flex-1">
        The server's clock jumped (noticed on <OnDay at={data.doubtedSince} />
        ). Nothing here expires until it has been steady for a day.
      </p>
      <Button onClick={() => void attempt("Couldn't confirm the clock", confirmClock)}>
        The clock is right
      </Button>
    </div>
  );
}

import { CornerDownRight } from "lucide-react";
import type { Choice } from "../../shared/ui/picker.tsx";
import type { Command } from "./command.ts";

export const toChoice = ({ id, title, keys, run }: Command): Choice => ({
  id,
  label: title,
  icon: <CornerDownRight size={14} />,
  run,
  ...(keys?.[0] && { keys: keys[0] }),
});

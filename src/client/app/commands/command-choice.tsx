import { CornerDownRight } from "lucide-react";
import type { Choice } from "../../shared/ui/picker.tsx";
import type { Command } from "./command.ts";

export const toChoice = ({ id, title, words, keys, run }: Command): Choice => ({
  id,
  label: title,
  icon: <CornerDownRight size={14} />,
  run,
  ...(words && { words }),
  ...(keys?.[0] && { keys: keys[0] }),
});

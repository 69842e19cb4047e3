import { wantedTerminal } from "../../shared/stores/terminal-focus.ts";

/** Shows the next tab of the open panel, without focusing it. */
export function switchTab(by: number) {
  const tabs = [...document.querySelectorAll<HTMLElement>("[data-panel] [role=tab]")];
  const at = tabs.findIndex((tab) => tab.ariaSelected === "true");
  tabs[(at + by + tabs.length) % tabs.length]?.click();
  wantedTerminal.set(null);
}

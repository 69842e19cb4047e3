import { wantedTerminal } from "../../shared/stores/terminal-focus.ts";

/** To the next tab of the open panel, without giving it the keyboard: what is on the page says which there are. */
export function switchTab(by: number) {
  const tabs = [...document.querySelectorAll<HTMLElement>("[data-panel] [role=tab]")];
  const at = tabs.findIndex((tab) => tab.ariaSelected === "true");
  tabs[(at + by + tabs.length) % tabs.length]?.click();
  wantedTerminal.set(null);
}

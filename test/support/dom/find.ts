// Finds elements as people and assistive technology do: by role, name, label and text.
import { computeAccessibleName, getRole } from "dom-accessibility-api";
import type { DomView } from "./scope.ts";

export type Text = string | RegExp;

/** Names are worked out without styles: the page's parts don't need them for that, and they are slow to come by. */
const PLAIN = { getComputedStyle: () => ({ getPropertyValue: () => "" }) as unknown as CSSStyleDeclaration };
const nameOf = (element: Element) => computeAccessibleName(element, PLAIN);

export const normal = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim();

export function fits(text: string, wanted: Text, isExact = false): boolean {
  if (wanted instanceof RegExp) return wanted.test(text);
  const flat = normal(wanted);
  return isExact ? text === flat : text.toLowerCase().includes(flat.toLowerCase());
}

/** The classes by which the page hides what there is no room or no finger for. */
export function isShown(element: Element, view: DomView): boolean {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    if (at.hasAttribute("hidden") || (at.tagName === "DIALOG" && !at.hasAttribute("open"))) return false;
    const details = at.parentElement;
    if (details?.tagName === "DETAILS" && !details.hasAttribute("open") && at.tagName !== "SUMMARY")
      return false;
    if (isHiddenByClass(at, view) || /display:\s*none/.test(at.getAttribute("style") ?? "")) return false;
  }
  return true;
}

function isHiddenByClass(element: Element, view: DomView): boolean {
  const isNarrow = view.width < 1024;
  const has = (name: string) => element.classList.contains(name);
  if (has("empty:hidden") && element.childNodes.length === 0) return true;
  if ((has("narrow:hidden") && isNarrow) || (has("lg:hidden") && !isNarrow)) return true;
  if (has("narrow:not-first:hidden") && isNarrow && element.previousElementSibling !== null) return true;
  if (has("touch:hidden") && view.isPhone) return true;
  if (!has("hidden")) return false;
  const comesBack = [...element.classList].some(
    (name) =>
      /^@/.test(name) ||
      (/^touch:(flex|block)/.test(name) && view.isPhone) ||
      (/^lg:(flex|block)/.test(name) && !isNarrow),
  );
  return !comesBack;
}

export interface RoleOptions {
  name?: Text;
  exact?: boolean;
  selected?: boolean;
  checked?: boolean;
  expanded?: boolean;
  pressed?: boolean;
  disabled?: boolean;
  level?: number;
}

/** Where an element can have this role, for a quick first choice. */
const TAGS: Record<string, string> = {
  button: "button, summary, input[type=button], input[type=submit]",
  heading: "h1, h2, h3, h4",
  textbox: "input, textarea",
  checkbox: "input[type=checkbox]",
  radio: "input[type=radio]",
  combobox: "select, input",
  dialog: "dialog",
  article: "article",
  link: "a",
  list: "ul, ol",
  listitem: "li",
  region: "section",
  group: "fieldset, details",
  table: "table",
  row: "tr",
  navigation: "nav",
  main: "main",
  searchbox: "input[type=search]",
  spinbutton: "input[type=number]",
  option: "option",
  separator: "hr",
  form: "form",
  complementary: "aside",
  status: "output",
  img: "img, svg",
};

export function byRole(root: ParentNode, role: string, options: RoleOptions, view: DomView): Element[] {
  const explicit = `[role=${role}]`;
  const candidates = [...root.querySelectorAll(TAGS[role] ? `${explicit}, ${TAGS[role]}` : explicit)];
  const flag = (element: Element, name: string, wanted: boolean | undefined) =>
    wanted === undefined ||
    (element.getAttribute(`aria-${name}`) === "true" ||
      (element as unknown as Record<string, unknown>)[name] === true) === wanted;
  return candidates.filter(
    (element) =>
      getRole(element) === role &&
      isShown(element, view) &&
      element.closest("[aria-hidden=true]") === null &&
      ["selected", "checked", "expanded", "pressed", "disabled"].every((name) =>
        flag(element, name, options[name as "selected"]),
      ) &&
      (options.name === undefined || fits(normal(nameOf(element)), options.name, options.exact)),
  );
}

export function byLabel(root: ParentNode, wanted: Text, isExact?: boolean): Element[] {
  const named = [
    ...root.querySelectorAll("[aria-label], [aria-labelledby], input, textarea, select, button"),
  ];
  return named.filter((element) => {
    const label = element.getAttribute("aria-label");
    if (label !== null) return fits(normal(label), wanted, isExact);
    const by = element.getAttribute("aria-labelledby");
    if (by !== null) {
      const texts = by.split(" ").map((id) => element.ownerDocument.getElementById(id)?.textContent ?? "");
      return fits(normal(texts.join(" ")), wanted, isExact);
    }
    const id = element.getAttribute("id");
    const labels = [
      element.closest("label"),
      id ? element.ownerDocument.querySelector(`label[for="${id}"]`) : null,
    ];
    return labels.some((each) => each !== null && fits(normal(each.textContent), wanted, isExact));
  });
}

/** The innermost elements that hold the text. */
export function byText(root: ParentNode, wanted: Text, isExact?: boolean): Element[] {
  const holds = (element: Element) =>
    !/^(SCRIPT|STYLE)$/.test(element.tagName) && fits(normal(element.textContent), wanted, isExact);
  return [...root.querySelectorAll("*")].filter(
    (element) => holds(element) && ![...element.children].some(holds),
  );
}

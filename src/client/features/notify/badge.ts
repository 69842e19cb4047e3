/** Shows how many tasks need a person, in the tab's title and on its icon. */
export function showBadge(count: number) {
  document.title = count === 0 ? "banto" : `(${count}) banto`;
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (link === null) return;
  link.dataset.plain ??= link.href;
  link.href = count === 0 ? link.dataset.plain : `data:image/svg+xml,${encodeURIComponent(icon(count))}`;
  if ("setAppBadge" in navigator) void setAppBadge(count);
}

/** For pages that are installed as an app. */
async function setAppBadge(count: number): Promise<void> {
  await navigator.setAppBadge(count).catch(() => {}); // not installed
}

/** The page's icon with a number on it. */
const icon = (count: number) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="8" fill="#5b5bd6"/>
  <rect x="5" y="8" width="4.5" height="16" rx="1.5" fill="#fff" opacity=".55"/>
  <rect x="11" y="8" width="4.5" height="11" rx="1.5" fill="#fff"/>
  <circle cx="21.5" cy="21.5" r="10.5" fill="#ffb224"/>
  <text x="21.5" y="27" text-anchor="middle" font-family="system-ui,sans-serif" font-size="${count > 9 ? 12 : 16}" font-weight="700" fill="#1c1300">${count > 9 ? "9+" : count}</text>
</svg>`;

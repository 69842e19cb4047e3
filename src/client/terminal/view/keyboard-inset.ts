// Some browsers show a phone's keyboard on top of the page instead of shrinking it. This adds padding for the covered
// part, so that the prompt and the key bar are right above the keyboard.

export function watchKeyboard(element: HTMLElement): () => void {
  const viewport = window.visualViewport;
  if (viewport === null) return () => {};
  const stop = new AbortController();
  const follow = () => {
    // A zoomed-in page is partly out of view on purpose.
    const isZoomed = viewport.scale > 1.01;
    const seen = viewport.offsetTop + viewport.height;
    const covered = isZoomed ? 0 : Math.max(0, Math.round(element.getBoundingClientRect().bottom - seen));
    element.style.paddingBottom = covered === 0 ? "" : `${covered}px`;
    element.toggleAttribute("data-keyboard", covered > 0);
    // Safari has scrolled the page to reveal a field that is no longer covered.
    if (covered > 0 && viewport.offsetTop > 0) window.scrollTo(0, 0);
  };
  for (const type of ["resize", "scroll"]) viewport.addEventListener(type, follow, { signal: stop.signal });
  // The page may be resized after the viewport's event fires.
  const observer = new ResizeObserver(follow);
  observer.observe(element, { box: "border-box" });
  return () => {
    observer.disconnect();
    stop.abort();
  };
}

// A soft keyboard lies over the page in browsers that do not shrink it. What it covers is taken off
// here, so that the prompt and the key bar stand right above it.

export function watchKeyboard(element: HTMLElement): () => void {
  const viewport = window.visualViewport;
  if (viewport === null) return () => {};
  const stop = new AbortController();
  const follow = () => {
    // Whoever has zoomed in sees less of the page on purpose.
    const isZoomed = viewport.scale > 1.01;
    const seen = viewport.offsetTop + viewport.height;
    const covered = isZoomed ? 0 : Math.max(0, Math.round(element.getBoundingClientRect().bottom - seen));
    element.style.paddingBottom = covered === 0 ? "" : `${covered}px`;
    element.toggleAttribute("data-keyboard", covered > 0);
    // Safari moves the page up to show a field that is no longer covered.
    if (covered > 0 && viewport.offsetTop > 0) window.scrollTo(0, 0);
  };
  for (const type of ["resize", "scroll"]) viewport.addEventListener(type, follow, { signal: stop.signal });
  // The page may get its new size after the viewport has told its own.
  const observer = new ResizeObserver(follow);
  observer.observe(element, { box: "border-box" });
  return () => {
    observer.disconnect();
    stop.abort();
  };
}

/**
 * Keeps `--nimo-keyboard` of the page at the height that a keyboard on the screen lies over it, and `--nimo-view-top` at how far the page
 * was pushed up for it, for what has to stay in view. Browsers that make the page lower instead (`interactive-widget=resizes-content`)
 * leave both at nothing; Safari does not.
 * @returns what ends it
 */
export function followKeyboard(): () => void {
  const view = window.visualViewport;
  if (!view) return () => undefined;
  const root = document.documentElement;
  const measure = () => {
    // Whoever has enlarged the page sees less of it as well.
    const covered = view.scale > 1 ? 0 : Math.max(0, window.innerHeight - view.height - view.offsetTop);
    root.style.setProperty('--nimo-keyboard', `${Math.round(covered)}px`);
    root.style.setProperty('--nimo-view-top', `${view.scale > 1 ? 0 : Math.round(view.offsetTop)}px`);
  };
  measure();
  view.addEventListener('resize', measure);
  view.addEventListener('scroll', measure);
  return () => {
    view.removeEventListener('resize', measure);
    view.removeEventListener('scroll', measure);
    root.style.removeProperty('--nimo-keyboard');
    root.style.removeProperty('--nimo-view-top');
  };
}

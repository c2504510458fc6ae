import { useLayoutEffect, type RefObject } from 'react';

/** While something fills the screen, neither Tab nor a screen reader reaches the page behind it. What opens over a page is none of it. */
export function useInertBehind(cover: RefObject<HTMLElement>, fillsScreen: boolean): void {
  useLayoutEffect(() => {
    const around: HTMLElement[] = [];
    for (let part = cover.current?.parentElement; part && part !== document.body; part = part.parentElement)
      around.push(part);
    if (!fillsScreen) return undefined;
    const inert = new Set<Element>();
    const takeOut = () => {
      for (const part of around.flatMap(({ children }) => [...children]))
        // Announcements must still be heard.
        if (!part.contains(cover.current) && !part.matches('[role="log"], [inert]')) {
          part.setAttribute('inert', '');
          inert.add(part);
        }
    };
    takeOut();
    const observer = new MutationObserver(takeOut);
    for (const part of around) observer.observe(part, { childList: true });
    return () => {
      observer.disconnect();
      for (const part of inert) part.removeAttribute('inert');
    };
  }, [cover, fillsScreen]);
}

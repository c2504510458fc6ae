import { useEffect, useRef, type MouseEvent } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';

interface Step {
  readonly key: string;
  readonly pathname: string;
}

/** Pages of this visit up to the current one that are still in the history. */
let trail: readonly Step[] = [];

function follow(type: NavigationType, step: Step): readonly Step[] {
  const known = trail.findIndex(({ key }) => key === step.key);
  if (known !== -1) return trail.slice(0, known + 1);
  if (type === NavigationType.Push) return [...trail, step];
  // Replaced, or reached by the browser's buttons from before the known pages.
  return type === NavigationType.Replace ? [...trail.slice(0, -1), step] : [step];
}

/** Records the visited pages. Mounted once around all pages behind the login. */
export function useTrail(): void {
  const type = useNavigationType();
  const { key, pathname } = useLocation();
  const followed = useRef<string>();
  useEffect(() => {
    if (followed.current === key) return;
    followed.current = key;
    trail = follow(type, { key, pathname });
  }, [type, key, pathname]);
}

/**
 * Link back to a page: one step back in the history if that page is there, filters and position included; otherwise
 * the plain page.
 */
export function useBackLink(pathname: string) {
  const navigate = useNavigate();
  const isPrevious = () => trail.at(-2)?.pathname === pathname;
  return {
    goBack: () => void (isPrevious() ? navigate(-1) : navigate(pathname)),
    /** For a link that names its target. */
    handleClick: (event: MouseEvent) => {
      const isPlain =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!isPlain || !isPrevious()) return;
      event.preventDefault();
      void navigate(-1);
    },
  };
}

/** Goes back to the previous page, or to the given one if this page was opened directly. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate();
  return () => void (trail.length > 1 ? navigate(-1) : navigate(fallback, { replace: true }));
}

import { useEffect, useRef, type MouseEvent } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';

interface Step {
  readonly key: string;
  readonly pathname: string;
}

/** The pages of this visit up to the one that is shown, as far as they are still behind it. */
let trail: readonly Step[] = [];

function follow(type: NavigationType, step: Step): readonly Step[] {
  const known = trail.findIndex(({ key }) => key === step.key);
  if (known !== -1) return trail.slice(0, known + 1);
  if (type === NavigationType.Push) return [...trail, step];
  // Replaced, or come to by the browser's own buttons from before what is known.
  return type === NavigationType.Replace ? [...trail.slice(0, -1), step] : [step];
}

/** Remembers the way; once, around all pages behind the log-in. */
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
 * Leads back to a page: to the very list that was left, filters and place included, where that is one step behind, and to
 * the page as such otherwise.
 */
export function useWayBack(pathname: string) {
  const navigate = useNavigate();
  const isJustBehind = () => trail.at(-2)?.pathname === pathname;
  return {
    goBack: () => void (isJustBehind() ? navigate(-1) : navigate(pathname)),
    /** For the link that says where it leads. */
    handleClick: (event: MouseEvent) => {
      const isPlain =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!isPlain || !isJustBehind()) return;
      event.preventDefault();
      void navigate(-1);
    },
  };
}

/** Leads back to whatever page was left for this one, and to another where this one was opened directly. */
export function useWayOut(otherwise: string): () => void {
  const navigate = useNavigate();
  return () => void (trail.length > 1 ? navigate(-1) : navigate(otherwise, { replace: true }));
}

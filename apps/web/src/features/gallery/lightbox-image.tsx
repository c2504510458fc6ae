import { useRef, useState, type Dispatch, type PointerEvent, type SyntheticEvent } from 'react';
import { isTallPicture } from '../../lib/tall-picture';
import classes from './gallery.module.css';
import type { LightboxAction, LightboxState } from './lightbox-reducer';

interface LightboxImageProps {
  src: string;
  title: string;
  state: LightboxState;
  dispatch: Dispatch<LightboxAction>;
}

/** Moves what it is given to by as much as the pointer moves. */
function useDragging(dispatch: Dispatch<LightboxAction>) {
  const last = useRef<{ x: number; y: number }>(undefined);
  const [isDragged, setIsDragged] = useState(false);
  const end = () => {
    last.current = undefined;
    setIsDragged(false);
  };
  return {
    isDragged,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        // A drag goes on outside the image.
        event.currentTarget.setPointerCapture(event.pointerId);
        last.current = { x: event.clientX, y: event.clientY };
        setIsDragged(true);
      },
      onPointerMove: ({ clientX: x, clientY: y }: PointerEvent) => {
        if (!last.current) return;
        dispatch({ type: 'pan', x: x - last.current.x, y: y - last.current.y });
        last.current = { x, y };
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}

/** The image itself: dragged about, and near by a double click. A tall one scrolls at a width that can be read. */
export function LightboxImage({ src, title, state, dispatch }: LightboxImageProps) {
  const { isDragged, handlers } = useDragging(dispatch);
  const [isTall, setIsTall] = useState(false);
  const { x, y, zoom, rotation } = state;
  const measure = ({ currentTarget: image }: SyntheticEvent<HTMLImageElement>) =>
    setIsTall(isTallPicture(image.naturalWidth, image.naturalHeight));
  // Turned, it would lie where no scrolling leads.
  const isScrolled = isTall && rotation % 360 === 0;
  const scrolls = isScrolled ? ({ role: 'group', 'aria-label': title, tabIndex: 0 } as const) : {};
  return (
    <div className={classes.scroller} data-tall={isScrolled || undefined} {...scrolls}>
      <img
        className={classes.image}
        src={src}
        alt={title}
        style={{ transform: `translate(${x}px, ${y}px) scale(${zoom}) rotate(${rotation}deg)` }}
        data-dragged={isDragged || undefined}
        onDoubleClick={() => dispatch({ type: 'toggleZoom' })}
        onLoad={measure}
        draggable={false}
        {...handlers}
      />
    </div>
  );
}

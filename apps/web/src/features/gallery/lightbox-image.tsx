import { useRef, useState, type Dispatch, type PointerEvent } from 'react';
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

/** The image itself: dragged about, and near by a double click. */
export function LightboxImage({ src, title, state, dispatch }: LightboxImageProps) {
  const { isDragged, handlers } = useDragging(dispatch);
  const { x, y, zoom, rotation } = state;
  return (
    <img
      className={classes.image}
      src={src}
      alt={title}
      style={{ transform: `translate(${x}px, ${y}px) scale(${zoom}) rotate(${rotation}deg)` }}
      data-dragged={isDragged || undefined}
      onDoubleClick={() => dispatch({ type: 'toggleZoom' })}
      draggable={false}
      {...handlers}
    />
  );
}

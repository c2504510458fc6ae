import { ActionIcon, FocusTrap, Portal, RemoveScroll, Transition } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import type { Icon } from '@tabler/icons-react';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import IconRotateClockwise from '@tabler/icons-react/dist/esm/icons/IconRotateClockwise.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import IconZoomIn from '@tabler/icons-react/dist/esm/icons/IconZoomIn.mjs';
import IconZoomOut from '@tabler/icons-react/dist/esm/icons/IconZoomOut.mjs';
import {
  type Dispatch,
  type KeyboardEvent,
  type PointerEvent,
  type SyntheticEvent,
  useEffect,
  useReducer,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { isTallImage } from '../../components/rich-text/safe-html';
import { timings } from '../../lib/timings';
import { useFocusReturn } from '../../lib/browser/focus';
import classes from './gallery.module.css';
import {
  isChanged,
  type LightboxAction,
  lightboxAt,
  lightboxReducer,
  type LightboxState,
  PAN_STEP,
} from './lightbox-reducer';

interface LightboxProps {
  imageUrls: readonly string[];
  initialIndex: number;
  /** Called once the closing transition has ended. */
  onClosed: () => void;
}

// Arrow keys move the view, so the image moves in the opposite direction.
const pans: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: PAN_STEP, y: 0 },
  ArrowRight: { x: -PAN_STEP, y: 0 },
  ArrowUp: { x: 0, y: PAN_STEP },
  ArrowDown: { x: 0, y: -PAN_STEP },
};

function Tool({ label, icon: ToolIcon, onClick }: { label: string; icon: Icon; onClick: () => void }) {
  return (
    <ActionIcon
      variant="transparent"
      className={classes.tool}
      size="xl"
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <ToolIcon size={24} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
}

function Tools({ dispatch, onClose }: { dispatch: (action: LightboxAction) => void; onClose: () => void }) {
  const { t } = useTranslation('ask', { keyPrefix: 'gallery' });
  const { t: tImage } = useTranslation('richText', { keyPrefix: 'image' });
  return (
    <div className={classes.tools} role="toolbar" aria-label={tImage('tools')}>
      <Tool label={t('zoomIn')} icon={IconZoomIn} onClick={() => dispatch({ type: 'zoomIn' })} />
      <Tool label={t('zoomOut')} icon={IconZoomOut} onClick={() => dispatch({ type: 'zoomOut' })} />
      <Tool label={t('rotate')} icon={IconRotateClockwise} onClick={() => dispatch({ type: 'rotate' })} />
      <Tool label={t('reset')} icon={IconRefresh} onClick={() => dispatch({ type: 'reset' })} />
      <Tool label={t('close')} icon={IconX} onClick={onClose} />
    </div>
  );
}

/** Shows the images of a post full screen, one at a time. */
export function Lightbox({ imageUrls, initialIndex, onClosed }: LightboxProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'gallery' });
  useFocusReturn();
  const [state, dispatch] = useReducer(lightboxReducer, lightboxAt(initialIndex));
  const [isOpen, setIsOpen] = useState(true);
  const isStill = useReducedMotion();
  const count = imageUrls.length;
  useEffect(() => {
    if (isOpen) return;
    const timer = setTimeout(onClosed, timings.galleryClose);
    return () => clearTimeout(timer);
  }, [isOpen, onClosed]);
  const handleKey = (event: KeyboardEvent) => {
    const pan = pans[event.key];
    if (pan) dispatch({ type: 'pan', ...pan });
    else if (event.key === 'Escape' && isChanged(state)) dispatch({ type: 'reset' });
    else if (event.key === 'Escape') setIsOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const title = t('title', { number: state.index + 1, count });
  return (
    <Portal>
      <Transition mounted={isOpen} transition="fade" duration={isStill ? 0 : timings.transition}>
        {(transitionStyle) => (
          <FocusTrap active={isOpen}>
            <RemoveScroll forwardProps>
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys work wherever the focus is inside */}
              <div
                role="dialog"
                aria-modal
                aria-label={title}
                tabIndex={-1}
                data-autofocus
                className={classes.lightbox}
                style={transitionStyle}
                onKeyDown={handleKey}
              >
                <p className={classes.position} aria-live="polite">
                  {title}
                </p>
                <Tools dispatch={dispatch} onClose={() => setIsOpen(false)} />
                <LightboxImage
                  key={state.index}
                  src={imageUrls[state.index] ?? ''}
                  title={title}
                  state={state}
                  dispatch={dispatch}
                />
                {count > 1 && (
                  <>
                    <div className={classes.previous}>
                      <Tool
                        label={t('previous')}
                        icon={IconChevronLeft}
                        onClick={() => dispatch({ type: 'go', step: -1, count })}
                      />
                    </div>
                    <div className={classes.next}>
                      <Tool
                        label={t('next')}
                        icon={IconChevronRight}
                        onClick={() => dispatch({ type: 'go', step: 1, count })}
                      />
                    </div>
                  </>
                )}
              </div>
            </RemoveScroll>
          </FocusTrap>
        )}
      </Transition>
    </Portal>
  );
}

interface LightboxImageProps {
  src: string;
  title: string;
  state: LightboxState;
  dispatch: Dispatch<LightboxAction>;
}

/** Handlers that pan by the movement of the pointer. */
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
        // Keeps receiving moves outside the image.
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

/** The image, which can be dragged and zoomed by double click. A tall one scrolls at a readable width. */
function LightboxImage({ src, title, state, dispatch }: LightboxImageProps) {
  const { isDragged, handlers } = useDragging(dispatch);
  const [isTall, setIsTall] = useState(false);
  const { x, y, zoom, rotation } = state;
  const measure = ({ currentTarget: image }: SyntheticEvent<HTMLImageElement>) =>
    setIsTall(isTallImage(image.naturalWidth, image.naturalHeight));
  // Rotated, it would extend beyond the scrollable area.
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

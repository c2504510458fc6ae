import { ActionIcon, FocusTrap, Portal, RemoveScroll, Transition } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import IconRotateClockwise from '@tabler/icons-react/dist/esm/icons/IconRotateClockwise.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import IconZoomIn from '@tabler/icons-react/dist/esm/icons/IconZoomIn.mjs';
import IconZoomOut from '@tabler/icons-react/dist/esm/icons/IconZoomOut.mjs';
import type { Icon } from '@tabler/icons-react';
import { useEffect, useReducer, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { timings } from '../../lib/timings';
import { useFocusReturn } from '../../lib/use-focus-return';
import classes from './gallery.module.css';
import { LightboxImage } from './lightbox-image';
import { isChanged, lightboxAt, lightboxReducer, PAN_STEP, type LightboxAction } from './lightbox-reducer';

interface LightboxProps {
  imageUrls: readonly string[];
  initialIndex: number;
  /** The gallery has closed and may be removed. */
  onClosed: () => void;
}

// An arrow key moves the view, so the image goes the other way.
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

/** Shows the images of a post one by one, large. */
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

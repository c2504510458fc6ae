import { useCallback, type ClipboardEvent } from 'react';

/** Takes the images out of what is pasted anywhere inside a form; text goes its own way. */
export function usePastedImages(onImages: (files: readonly File[]) => void) {
  return useCallback(
    (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files].filter(({ type }) => type.startsWith('image/'));
      if (files.length === 0) return;
      event.preventDefault();
      onImages(files);
    },
    [onImages],
  );
}

import { useCallback, type ClipboardEvent } from 'react';

/** Word and spreadsheets put a picture of the text beside it; a picture of a page comes with HTML without a word. */
export function hasWords(clipboard: DataTransfer): boolean {
  const html = clipboard.getData('text/html');
  return html !== '' && new DOMParser().parseFromString(html, 'text/html').body.textContent.trim() !== '';
}

/** Takes the files out of what is pasted anywhere inside a form; text goes its own way. */
export function usePastedImages(onFiles: (files: readonly File[]) => void) {
  return useCallback(
    (event: ClipboardEvent) => {
      const { clipboardData } = event;
      // The text has taken them where its caret is.
      if (event.isDefaultPrevented()) return;
      if (clipboardData.files.length === 0 || hasWords(clipboardData)) return;
      event.preventDefault();
      onFiles([...clipboardData.files]);
    },
    [onFiles],
  );
}

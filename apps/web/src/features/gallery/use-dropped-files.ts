import { useCallback, useEffect, useState, type DragEvent } from 'react';

const hasFiles = (transfer: DataTransfer | null): boolean =>
  transfer !== null && (transfer.types.includes('Files') || transfer.files.length > 0);

/** A file that is dropped beside where it was meant to go would open in place of the page, with all that was written. */
function keepPage(event: globalThis.DragEvent): void {
  if (hasFiles(event.dataTransfer)) event.preventDefault();
}

/** Takes files that are dropped anywhere inside an element, and keeps the page where they are dropped elsewhere. */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    window.addEventListener('dragover', keepPage);
    window.addEventListener('drop', keepPage);
    return () => {
      window.removeEventListener('dragover', keepPage);
      window.removeEventListener('drop', keepPage);
    };
  }, []);
  const onDragOver = useCallback((event: DragEvent) => {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    setIsOver(true);
  }, []);
  const onDragLeave = useCallback((event: DragEvent) => {
    const { currentTarget, relatedTarget } = event;
    if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setIsOver(false);
  }, []);
  const onDrop = useCallback(
    (event: DragEvent) => {
      setIsOver(false);
      // The text has taken them where they were dropped.
      if (!hasFiles(event.dataTransfer) || event.isDefaultPrevented()) return;
      event.preventDefault();
      onFiles([...event.dataTransfer.files]);
    },
    [onFiles],
  );
  return { isOver, handlers: { onDragOver, onDragLeave, onDrop } };
}

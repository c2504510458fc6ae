import { Button } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../lib/api/errors';
import { saveFile } from '../lib/api/files';
import { toast } from './toast';

interface SavedFile {
  readonly label: string;
  readonly address: string;
  /** File name if the API returns none. */
  readonly fallbackName: string;
}

interface SaveButtonsProps {
  files: readonly SavedFile[];
  cancelLabel: string;
  disabled?: boolean;
}

/** A button per download, one at a time; a download may take long and can be cancelled. */
export function SaveButtons({ files, cancelLabel, disabled = false }: SaveButtonsProps) {
  const [running, setRunning] = useState<string>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const save = async ({ address, fallbackName }: SavedFile) => {
    const controller = new AbortController();
    abort.current = controller;
    setRunning(fallbackName);
    try {
      await saveFile(address, fallbackName, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) toast.error(errorText(error));
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <>
      {files.map((file) => (
        <Button
          key={file.fallbackName}
          variant="default"
          size="sm"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={running === file.fallbackName}
          disabled={disabled || (running !== undefined && running !== file.fallbackName)}
          onClick={() => void save(file)}
        >
          {file.label}
        </Button>
      ))}
      {running !== undefined && (
        <Button variant="subtle" size="sm" onClick={() => abort.current?.abort()}>
          {cancelLabel}
        </Button>
      )}
    </>
  );
}

import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { LARGEST_IMAGE_BYTES } from '../../lib/upload';
import { isHeic, isTooLarge } from './take-pictures';

const MAX_MEGABYTES = LARGEST_IMAGE_BYTES / 1024 / 1024;

function reasonOf(file: File) {
  if (isHeic(file)) return 'fileHeic';
  return file.type.startsWith('image/') && isTooLarge(file) ? 'fileTooLarge' : 'fileRefused';
}

/** Says of each file that is no picture why it was left out, and what to do. */
export function useRefusedFiles() {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  return useCallback(
    (files: readonly File[]) => {
      for (const file of files) toast.error(t(reasonOf(file), { name: file.name, max: MAX_MEGABYTES }));
    },
    [t],
  );
}

import { useState } from 'react';
import { flushSync } from 'react-dom';
import { toast } from '../../components/toast';
import { errorText } from '../../lib/api/errors';
import { isLostSending } from '../../lib/api/unavailable';
import { useRereadIfRefused } from './use-question';

/** Waits for the images, then stores a post. Returns its id and what was sent, or nothing where a step failed. */
export function useSavePost<Written, Id>(store: (written: Written) => Promise<Id>, saved: string) {
  const rereadIfRefused = useRereadIfRefused();
  const [isSaving, setIsSaving] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [isUnsent, setIsUnsent] = useState(false);
  const save = async (ready: () => Promise<Written>): Promise<{ id: Id; sent: Written } | undefined> => {
    setIsSaving(true);
    setIsUnsent(false);
    try {
      const sent = await ready();
      // At once, so that no key comes between what is read and what is closed.
      flushSync(() => setIsSending(true));
      const id = await store(sent);
      toast.success(saved);
      return { id, sent };
    } catch (error) {
      const isLost = isLostSending(error);
      setIsUnsent(isLost);
      if (!isLost) toast.error(errorText(error));
      rereadIfRefused(error);
      return undefined;
    } finally {
      setIsSaving(false);
      setIsSending(false);
    }
  };
  return { save, isSaving, isSending, isUnsent };
}

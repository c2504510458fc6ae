import { Alert, Button, Stack, Text } from '@mantine/core';
import { createContext, type ReactNode, useContext, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { flushAndRenderEditors } from '../editor/editor-sync';

export interface CopiedText {
  readonly text: string;
  /** The text with its formatting. */
  readonly html?: string;
}

/** @throws Error if the browser denies it, or outside a secure context */
async function copyText({ text, html }: CopiedText): Promise<void> {
  if (html === undefined || !('ClipboardItem' in globalThis)) return navigator.clipboard.writeText(text);
  const [plain, rich] = [new Blob([text], { type: 'text/plain' }), new Blob([html], { type: 'text/html' })];
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain, 'text/html': rich })]);
}

/** Why nothing can be sent: the question or answer was removed, or the reader may no longer take part in the space. */
type Gone = 'question' | 'answer' | 'space';

const GoneContext = createContext<Gone | undefined>(undefined);

export const useGone = (): Gone | undefined => useContext(GoneContext);

/** Whether the post itself was removed and is hidden. */
export const isRemoved = (gone: Gone | undefined): boolean => gone === 'question' || gone === 'answer';

/** Provides why the content is gone. The outermost reason wins: an answer goes with its question. */
export function GoneProvider({ gone, children }: { gone: Gone | undefined; children: ReactNode }) {
  const around = useGone();
  return <GoneContext.Provider value={around ?? gone}>{children}</GoneContext.Provider>;
}

/** Notice that a draft can no longer be sent, with a button to copy it. */
export function GoneNotice({ getText }: { getText: () => CopiedText }) {
  const { t } = useTranslation('ask');
  const gone = useGone();
  const latest = useRef(getText);
  latest.current = getText;
  if (gone === undefined) return null;
  const copy = () => {
    flushAndRenderEditors();
    return copyText(latest.current()).then(
      () => void toast.success(t('question.copied')),
      () => void toast.error(t('notSent.copyFailed')),
    );
  };
  return (
    <Alert color="yellow" variant="light" my="xs">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t(`notSent.${gone}`)}</Text>
        <Button size="xs" variant="default" onClick={() => void copy()}>
          {t('notSent.copy')}
        </Button>
      </Stack>
    </Alert>
  );
}

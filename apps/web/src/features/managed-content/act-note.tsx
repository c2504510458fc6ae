import { Alert, Anchor } from '@mantine/core';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';

/** What an act of a maintainer came to: its ordinal in the audit, or null where nothing changed. */
export interface Act {
  ordinal: number | null;
}

/** The latest act on a screen, until it is put away or followed by another. */
export function useLatestAct() {
  const [act, setAct] = useState<Act>();
  return { act, tell: (ordinal: number | null) => setAct({ ordinal }), clear: () => setAct(undefined) };
}

/** Says that it is done, and leads to the page of the act in the audit. */
export function ActNote({ act, onClose }: { act: Act | undefined; onClose: () => void }) {
  const { t } = useTranslation('content');
  if (!act) return null;
  return (
    <Alert
      role="status"
      color="green"
      variant="light"
      mb="md"
      icon={<IconCircleCheck />}
      withCloseButton
      closeButtonLabel={t('close')}
      onClose={onClose}
    >
      {act.ordinal === null ? (
        t('nothingChanged')
      ) : (
        <>
          {t('saved')}{' '}
          <Anchor component={Link} to={paths.act(act.ordinal)} inherit underline="always">
            {t('seeInAudit')}
          </Anchor>
        </>
      )}
    </Alert>
  );
}

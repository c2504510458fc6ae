import { Alert, Anchor } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { MoreButton } from '../../components/paged-rows';
import { PersonAvatar } from '../../components/person-avatar';
import type { ManagedStudentPartsFragment } from '../../generated/graphql';
import type { PagedList } from '../../lib/api/paged-list';
import classes from './managed.module.css';

/** Result of a change: its event number in the audit log, or null if nothing changed. */
interface RecordedChange {
  ordinal: number | null;
  texts: ChangeTexts | undefined;
}

/** Say what a change did, in place of "Saved" and "Nothing to save". */
export interface ChangeTexts {
  saved: string;
  unchanged: string;
}

/** The latest change on a screen, until dismissed or replaced. */
export function useLatestChange() {
  const [change, setChange] = useState<RecordedChange>();
  return {
    change,
    showChange: (ordinal: number | null, texts?: ChangeTexts) => setChange({ ordinal, texts }),
    clear: () => setChange(undefined),
  };
}

/** Confirms a change and links to it in the audit log. */
export function ChangeNote({ change, onClose }: { change: RecordedChange | undefined; onClose: () => void }) {
  const { t } = useTranslation('content');
  if (!change) return null;
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
      {change.ordinal === null ? (
        (change.texts?.unchanged ?? t('noChanges'))
      ) : (
        <>
          {change.texts?.saved ?? t('saved')}{' '}
          <Anchor component={Link} to={paths.act(change.ordinal)} inherit underline="always">
            {t('viewInAudit')}
          </Anchor>
        </>
      )}
    </Alert>
  );
}

export function PersonCell({ student }: { student: ManagedStudentPartsFragment }) {
  const fullName = `${student.firstName} ${student.lastName}`.trim();
  return (
    <div className={classes.person}>
      <PersonAvatar person={student} size={36} />
      <span className={classes.names}>
        <strong>{student.userName}</strong>
        {fullName !== '' && <span className={classes.dimmed}>{fullName}</span>}
      </span>
    </div>
  );
}

/** "Show more" below a paged table. */
export function MoreRows({ list: { hasMore, nextPage } }: { list: PagedList<unknown> }) {
  const { t } = useTranslation('content');
  return (
    <MoreButton display="block" mx="auto" mt="md" hasMore={hasMore} nextPage={nextPage}>
      {t('more')}
    </MoreButton>
  );
}

const pause = 250;

/** A search term and its debounced value. */
export function useSearchText() {
  const [text, setText] = useState('');
  const [query] = useDebouncedValue(text.trim(), pause);
  return { text, setText, query };
}

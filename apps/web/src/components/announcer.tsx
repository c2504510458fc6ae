import { VisuallyHidden } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetAnnouncements, useAnnouncements } from '../lib/announce';

/** Heard and not seen: a live region that is there before the first announcement, or it would go unheard. */
export function Announcer() {
  const { t } = useTranslation('frame');
  const announcements = useAnnouncements();
  useEffect(() => forgetAnnouncements, []);
  return (
    <VisuallyHidden role="log" aria-label={t('announcements')}>
      {announcements.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </VisuallyHidden>
  );
}

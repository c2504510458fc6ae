import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const EMAIL = /^[^\s@<>]+@[^\s@<>]+$/;
const WEB_ADDRESS = /^https:\/\/\S+$/;

/** Where to object to a moderator's decision: the contact of the installation, as a link if it is one, or another moderator. */
export function Objection({ contact }: { contact: string | null }) {
  const { t } = useTranslation('ask', { keyPrefix: 'removal' });
  if (contact === null) return <>{t('objectToStaff')}</>;
  const address = WEB_ADDRESS.test(contact) ? contact : EMAIL.test(contact) ? `mailto:${contact}` : undefined;
  return (
    <>
      {t('objectTo')} {address === undefined ? contact : <Anchor href={address}>{contact}</Anchor>}
    </>
  );
}

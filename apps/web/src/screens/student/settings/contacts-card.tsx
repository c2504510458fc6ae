import { Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import rows from '../../../components/framed-rows.module.css';
import { ContactChange, type ContactKindName, type OwnAccount } from './contact-change';
import classes from './settings.module.css';

/** Mobile number and email, with the way to change them. */
export function ContactsCard({ account }: { account: OwnAccount }) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  const [changing, setChanging] = useState<ContactKindName>();
  const contacts = [
    ['EMAIL', account.email ?? null],
    ['PHONE', account.phone == null ? null : `+${account.phone}`],
  ] as const;
  return (
    <section className={classes.card} aria-labelledby="settings-contacts">
      <Title order={2} size="h3" id="settings-contacts">
        {t('title')}
      </Title>
      <Text c="dimmed" size="sm" mt={4} mb="md">
        {t('lead')}
      </Text>
      <ul className={rows.list}>
        {contacts.map(([kind, value]) => (
          <li key={kind} className={rows.row}>
            <div className={rows.grow}>
              <Text size="sm" c="dimmed">
                {t(`kinds.${kind}`)}
              </Text>
              <Text fw={600} className={classes.value}>
                {value ?? t('none')}
              </Text>
            </div>
            <Button
              variant="default"
              size="xs"
              aria-label={t(`${value === null ? 'add' : 'change'}Of.${kind}`)}
              onClick={() => setChanging(kind)}
            >
              {t(value === null ? 'add' : 'change')}
            </Button>
          </li>
        ))}
      </ul>
      <ContactChange kind={changing} account={account} onClose={() => setChanging(undefined)} />
    </section>
  );
}

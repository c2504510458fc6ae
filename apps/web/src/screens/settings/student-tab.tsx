import { Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LanguageChoice } from '../../components/language-choice';
import { OwnSessions } from './own-sessions';
import classes from './settings.module.css';

/** Language and sessions. */
export function StudentTab() {
  const { t } = useTranslation('settings', { keyPrefix: 'student' });
  return (
    <Stack gap="lg">
      <section className={classes.card} aria-labelledby="settings-language">
        <Title order={2} size="h3" id="settings-language" mb="md">
          {t('language')}
        </Title>
        <LanguageChoice labelledBy="settings-language" />
      </section>
      <section className={classes.card} aria-labelledby="settings-sessions">
        <Title order={2} size="h3" id="settings-sessions">
          {t('sessions')}
        </Title>
        <OwnSessions />
      </section>
    </Stack>
  );
}

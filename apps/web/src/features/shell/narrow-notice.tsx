import { Button, Center, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Logo } from '../../components/logo';
import { continueInBrowser } from '../../lib/browser/device';

/** Shown in narrow windows until the user chooses to continue. */
export default function NarrowNotice() {
  const { t } = useTranslation('narrow');
  return (
    <Center component="main" mih="100dvh" p="lg">
      <Stack align="center" gap="lg" maw={320}>
        <h1>
          <Logo />
        </h1>
        <Text ta="center">{t('text')}</Text>
        <Button onClick={continueInBrowser}>{t('continue')}</Button>
      </Stack>
    </Center>
  );
}

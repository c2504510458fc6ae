import { Center, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Logo } from '../../components/logo';

/** All that a narrow window shows. */
export function NarrowNotice() {
  const { t } = useTranslation('shell');
  return (
    <Center component="main" mih="100dvh" p="lg">
      <Stack align="center" gap="lg" maw={320}>
        <h1>
          <Logo />
        </h1>
        <Text ta="center">{t('narrow')}</Text>
      </Stack>
    </Center>
  );
}

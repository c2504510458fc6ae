import { Button, Center, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Logo } from '../../components/logo';
import { continueInBrowser } from '../../lib/browser/device';

/** Shown in narrow windows until the user chooses to continue: instead of a screen, or over the one open before. */
export default function NarrowNotice({ isOverScreen = false }: { isOverScreen?: boolean }) {
  const { t } = useTranslation('narrow');
  if (!isOverScreen)
    return (
      <Center component="main" mih="100dvh" p="lg">
        <Notice />
      </Center>
    );
  return (
    <Modal.Root
      opened
      fullScreen
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
      zIndex={1_000}
      onClose={continueInBrowser}
    >
      <Modal.Content aria-label={t('text')}>
        <Center mih="100dvh" p="lg">
          <Notice />
        </Center>
      </Modal.Content>
    </Modal.Root>
  );
}

function Notice() {
  const { t } = useTranslation('narrow');
  return (
    <Stack align="center" gap="lg" maw={320}>
      <h1>
        <Logo />
      </h1>
      <Text ta="center">{t('text')}</Text>
      <Button onClick={continueInBrowser}>{t('continue')}</Button>
    </Stack>
  );
}

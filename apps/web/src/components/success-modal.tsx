import { Button, Modal, Stack, Text, Title } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import classes from './success-modal.module.css';

interface SuccessModalProps {
  opened: boolean;
  title: string;
  text: string;
  action: string;
  onAction: () => void;
}

/** Something is done; one button goes on. */
export function SuccessModal({ opened, title, text, action, onAction }: SuccessModalProps) {
  return (
    <Modal opened={opened} onClose={onAction} withCloseButton={false} size="sm" aria-label={title}>
      <Stack align="center" gap="sm" p="md" ta="center">
        <span className={classes.mark} aria-hidden>
          <IconCheck size={32} stroke={2.25} />
        </span>
        <Title order={2}>{title}</Title>
        <Text c="dimmed">{text}</Text>
        <Button mt="sm" fullWidth onClick={onAction} data-autofocus>
          {action}
        </Button>
      </Stack>
    </Modal>
  );
}

import { Button, Modal, Stack, Text } from '@mantine/core';
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
    <Modal.Root opened={opened} onClose={onAction} size="sm" centered>
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content radius="lg">
        <Modal.Body>
          <Stack align="center" gap="sm" pt="xl" ta="center">
            <span className={classes.mark} aria-hidden>
              <IconCheck size={32} stroke={2.25} />
            </span>
            <Modal.Title>{title}</Modal.Title>
            <Text c="dimmed">{text}</Text>
            <Button mt="sm" fullWidth onClick={onAction} data-autofocus>
              {action}
            </Button>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

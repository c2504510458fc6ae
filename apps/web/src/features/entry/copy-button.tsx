import { Button, type ButtonProps } from '@mantine/core';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';

interface CopyButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  text: string;
  label: string;
}

/** Copies a link, code or address. If that fails, shows it to be copied by hand. */
export function CopyButton({ text, label, ...look }: CopyButtonProps) {
  const { t } = useTranslation('entry');
  // `navigator.clipboard` is undefined outside a secure context.
  const copy = () =>
    void Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(
        () => toast.success(t('copied')),
        () => toast.error(t('copyFailed', { text })),
      );
  return (
    <Button {...look} leftSection={<IconCopy size={14} aria-hidden />} onClick={copy}>
      {label}
    </Button>
  );
}

import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { useTranslation } from 'react-i18next';
import { timings } from '../../lib/timings';
import classes from './proof.module.css';

interface CopyTextProps {
  text: string;
  /** What the button copies, for those who do not see what it stands beside. */
  label: string;
}

/** A hash or a key: nobody types it. */
export function CopyText({ text, label }: CopyTextProps) {
  const { t } = useTranslation('proof');
  return (
    <span className={classes.copy}>
      <code className={classes.hash}>{text}</code>
      <CopyButton value={text} timeout={timings.copied}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('copied') : label}>
            <ActionIcon
              variant="subtle"
              color={copied ? 'green' : 'gray'}
              onClick={copy}
              aria-label={copied ? t('copied') : label}
            >
              {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </span>
  );
}

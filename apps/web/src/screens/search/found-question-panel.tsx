import { ActionIcon, Tooltip } from '@mantine/core';
import IconArrowsDiagonal from '@tabler/icons-react/dist/esm/icons/IconArrowsDiagonal.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { QuestionDetail } from '../../features/questions/question-detail';
import { besideListId, focusChosen } from '../../features/shortcuts/use-list-keys';
import { useShortcuts } from '../../features/shortcuts/use-shortcuts';
import { useVisibleHeight } from '../../lib/use-visible-height';
import classes from './search-screen.module.css';

interface FoundQuestionPanelProps {
  questionId: string;
  onClose: () => void;
}

/** The chosen hit beside the list, with its comments, its answers and theirs. */
export function FoundQuestionPanel({ questionId, onClose }: FoundQuestionPanelProps) {
  const { t } = useTranslation('search');
  const panel = useVisibleHeight<HTMLElement>();
  const close = () => {
    focusChosen();
    onClose();
  };
  useShortcuts({ close, back: close });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: without focus, what is below needs a mouse
    <section ref={panel} id={besideListId} className={classes.panel} aria-label={t('panel')} tabIndex={0}>
      <div className={classes.panelTop}>
        <Tooltip label={t('openQuestion')}>
          <ActionIcon
            component={Link}
            to={paths.singleQuestion(questionId, 'home')}
            variant="subtle"
            color="gray"
            c="dimmed"
            size="lg"
            aria-label={t('openQuestion')}
          >
            <IconArrowsDiagonal size={18} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t('closePanel')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            c="dimmed"
            size="lg"
            aria-label={t('closePanel')}
            onClick={close}
          >
            <IconX size={18} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <QuestionDetail questionId={questionId} headingOrder={2} onGone={close} />
    </section>
  );
}

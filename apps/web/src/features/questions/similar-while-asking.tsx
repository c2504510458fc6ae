import { VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../lib/paths';
import { timings } from '../../lib/timings';
import { MarkedText } from '../../components/marked-text';
import classes from './similar-questions.module.css';
import { useSimilarQuestions } from './use-similar-questions';

interface SimilarWhileAskingProps {
  title: string;
  space: string;
}

/** Questions like the one that is being written. They open in a tab of their own, so that nothing written is lost. */
export const SimilarWhileAsking = memo(function SimilarWhileAsking(props: SimilarWhileAskingProps) {
  const { t } = useTranslation(['search', 'ask']);
  const [title] = useDebouncedValue(props.title, timings.similarDebounce);
  const similar = useSimilarQuestions({ ...props, title });
  return (
    <>
      <VisuallyHidden role="status">
        {similar.length === 0 ? '' : t('similarFound', { count: similar.length })}
      </VisuallyHidden>
      {similar.length > 0 && (
        <section className={classes.asking} aria-label={t('similar')}>
          <p className={classes.hint}>
            <strong>{t('similar')}</strong> {t('similarHint')}
          </p>
          <ul className={classes.list}>
            {similar.map(({ question, title: parts }) => (
              <li key={question._id} className={classes.row}>
                <a
                  className={classes.link}
                  dir="auto"
                  href={paths.singleQuestion(question._id, 'home')}
                  target="_blank"
                  rel="noopener"
                >
                  <MarkedText parts={parts} />
                  <VisuallyHidden> {t('newTab')}</VisuallyHidden>
                </a>
                {question.acceptedAnswer && (
                  <span className={classes.solved} title={t('solved')}>
                    <IconCircleCheckFilled size={16} aria-hidden />
                    <VisuallyHidden>{t('solved')}</VisuallyHidden>
                  </span>
                )}
                <span className={classes.answers}>
                  {t('ask:question.answers', { count: question.answerCount })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
});

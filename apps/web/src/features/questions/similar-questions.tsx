import { skipToken, useQuery } from '@apollo/client/react';
import { VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { SimilarQuestionsDocument } from '../../generated/graphql';
import { paths } from '../../lib/paths';
import { timings } from '../../lib/timings';
import { MarkedText } from '../../components/rich-text/marked-text';
import classes from './similar-questions.module.css';

const SIMILAR = 5;
/** Shorter titles match too much. */
const MIN_LENGTH = 8;

interface SimilarTo {
  title: string;
  space: string;
  /** ID of the question itself, to exclude. */
  except?: string;
}

/** Questions with a similar title; the previous ones while loading. Only a hint, so failures are silent. */
export function useSimilarQuestions({ title, space, except }: SimilarTo) {
  const query = title.trim();
  const isLongEnough = Array.from(query).length >= MIN_LENGTH;
  const { data, previousData } = useQuery(
    SimilarQuestionsDocument,
    isLongEnough
      ? { variables: { title: query, space, limit: except === undefined ? SIMILAR : SIMILAR + 1 } }
      : skipToken,
  );
  if (!isLongEnough) return [];
  const hits = (data ?? previousData)?.getSimilarQuestions.hits ?? [];
  return hits.filter(({ question }) => question._id !== except).slice(0, SIMILAR);
}

interface SimilarWhileAskingProps {
  title: string;
  space: string;
}

/** Similar questions while asking one. They open in a new tab, so that the draft stays. */
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

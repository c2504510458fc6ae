import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time';
import type { ModerationCaseFragment } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import { CaseDecisions } from './case-decisions';
import classes from './moderation.module.css';

/** What is known of the author in the space. */
export function AuthorRecord({ shown: { record } }: { shown: ModerationCaseFragment }) {
  const { t, i18n } = useTranslation('moderation');
  const numbers = [
    ['score', record.score],
    ['questionsAsked', record.questionsAsked],
    ['questionsAnswered', record.questionsAnswered],
    ['reportedPosts', record.reportedPosts],
    ['removedPosts', record.removedPosts],
    ['upheldReports', record.upheldReports],
    ['dismissedReports', record.dismissedReports],
  ] as const;
  return (
    <section aria-labelledby="author-record">
      <Title order={3} size="h4" id="author-record">
        {t('record.title')}
      </Title>
      <dl className={classes.numbers}>
        {numbers.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`record.${key}`)}</dt>
            <dd>{wholeNumber(value, i18n.language)}</dd>
          </div>
        ))}
      </dl>
      {record.blocks.length > 0 && (
        <ul className={classes.plain}>
          {[...record.blocks].reverse().map((block) => (
            <li key={block.at + block.kind}>
              {t(`record.${block.kind}`)} <RelativeTime at={block.at} />
              {block.reason && (
                <span className={classes.quoted} dir="auto">
                  {block.reason}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {record.decisions.length > 0 && (
        <CaseDecisions title={t('record.decisions')} decisions={record.decisions} areLinked />
      )}
    </section>
  );
}

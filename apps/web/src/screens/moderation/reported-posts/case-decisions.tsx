import { Anchor, Title } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { ExactTime } from '../../../components/exact-time';
import type { CaseDecisionFragment } from '../../../generated/graphql';
import classes from './moderation.module.css';
import { shownName } from '../../../lib/api/erased';

interface CaseDecisionsProps {
  title: string;
  decisions: readonly CaseDecisionFragment[];
  /** Link each decision to its case. */
  areLinked?: boolean;
}

/** Decisions with moderator, time and reason, newest first. */
export function CaseDecisions({ title, decisions, areLinked = false }: CaseDecisionsProps) {
  const { t } = useTranslation('moderation');
  const id = useId();
  if (decisions.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Title order={4} size="h5" id={id}>
        {title}
      </Title>
      <ul className={classes.plain}>
        {decisions.map((decision) => {
          const said = t(`decisionBy.${decision.decision}`, {
            name: decision.moderator ? shownName(decision.moderator) : t('someone'),
            to: decision.toModerator ? shownName(decision.toModerator) : t('everyone'),
          });
          return (
            <li key={decision.ordinal}>
              {areLinked && decision.decision !== 'DELETED' ? (
                <Anchor component={Link} to={paths.moderationCase(decision.postId)} inherit>
                  {said}
                </Anchor>
              ) : (
                said
              )}{' '}
              {(decision.penalty === 'NONE' || decision.penalty === 'FULL') &&
                `${t(`penaltyChosen.${decision.penalty}`)} `}
              <ExactTime at={decision.at} />
              {decision.reason !== '' && (
                <span className={classes.quoted} dir="auto">
                  {decision.reason}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

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

/** Decisions with moderator, time and reason, newest first; a line for neighbours that only differ by their post. */
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
        {groupsOf(decisions).map(([decision, ...alike]) => {
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
              {alike.length > 0 && ` ${t('decisionsAlike', { count: alike.length })}`}
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

type Group = [CaseDecisionFragment, ...CaseDecisionFragment[]];

const isAlike = (one: CaseDecisionFragment, other: CaseDecisionFragment): boolean =>
  one.postId !== other.postId &&
  one.decision === other.decision &&
  one.moderator?._id === other.moderator?._id &&
  one.reason === other.reason &&
  one.penalty === other.penalty;

/** Neighbouring decisions on several posts for one reason, such as those of a removal of all posts. */
function groupsOf(decisions: readonly CaseDecisionFragment[]): readonly Group[] {
  const groups: Group[] = [];
  for (const decision of decisions) {
    const group = groups.at(-1);
    if (group && isAlike(group[0], decision)) group.push(decision);
    else groups.push([decision]);
  }
  return groups;
}

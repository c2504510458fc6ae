import { Anchor, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import type { AuditActQuery } from '../../generated/graphql';
import { auditPath } from './audit-links';
import { AuditTime } from './audit-time';
import classes from './audit.module.css';
import { isImportItself, useImportName } from './use-import-name';
import { usePersonName } from './use-person-name';
import { useWhat } from './use-what';

type Act = NonNullable<AuditActQuery['getAuditEntry']>;

/** Who did what, when, and where in the log it stands. */
export function ActFacts({ act }: { act: Act }) {
  const { t } = useTranslation('audit');
  const what = useWhat();
  const { entry } = act;
  const { actor, caseId, post, receiver, space } = entry;
  return (
    <div className={classes.card}>
      <Group justify="space-between" align="baseline">
        <strong className={classes.ofName}>{what(entry)}</strong>
        <code>{entry.kind}</code>
      </Group>
      <dl className={classes.factList}>
        <Fact label={t('act.actor')}>
          <ActorName act={act} />
        </Fact>
        <Fact label={t('act.occurredAt')}>
          <AuditTime at={entry.occurredAt} />
        </Fact>
        <Fact label={t('act.recordedAt')}>
          <AuditTime at={entry.recordedAt} />
        </Fact>
        {space && <Fact label={t('act.space')}>{space.name}</Fact>}
        <Fact label={t('act.stream')}>
          <code>{act.streamId}</code>
        </Fact>
        <Fact label={t('act.revision')}>{act.revision}</Fact>
        <Fact label={t('act.event')}>
          <code>{entry.eventId}</code>
        </Fact>
        <Fact label={t('act.command')}>
          <code>{entry.commandId}</code>
        </Fact>
        <Fact label={t('act.correlation')}>
          <code>{act.correlationId}</code>
        </Fact>
        <Fact label={t('act.causation')}>
          <code>{act.causationId}</code>
        </Fact>
        <Fact label={t('act.schemaVersion')}>{act.schemaVersion}</Fact>
      </dl>
      <Group gap="md">
        {post && (
          <>
            <Anchor component={Link} to={paths.singleQuestion(post.questionId, 'home')}>
              {t('links.question')}
            </Anchor>
            <Anchor component={Link} to={auditPath({ view: 'post', of: post._id })}>
              {t('links.postHistory')}
            </Anchor>
          </>
        )}
        {receiver && !receiver.isErased && (
          <Anchor component={Link} to={paths.userDetail(receiver._id, space?._id)}>
            {t('links.profile')}
          </Anchor>
        )}
        {actor && (
          <Anchor component={Link} to={auditPath({ actor: actor._id })}>
            {t('links.asActor')}
          </Anchor>
        )}
        {caseId !== null && (
          <Anchor component={Link} to={auditPath({ caseId })}>
            {t('links.case')}
          </Anchor>
        )}
      </Group>
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ActorName({ act: { entry } }: { act: Act }) {
  const { t } = useTranslation('audit');
  const nameOf = usePersonName();
  const importName = useImportName();
  const { actor, actorKind, operator } = entry;
  const who = actor && !isImportItself(entry) ? nameOf(actor) : null;
  const otherwise = who === null ? t(`actor.${actorKind}`) : null;
  return [who, actorKind === 'import' ? importName(entry) : otherwise, operator]
    .filter((part) => part !== null)
    .join(' · ');
}

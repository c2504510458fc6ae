import { Anchor, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { PersonAvatar } from '../../components/person-avatar';
import type { AuditLineFragment } from '../../generated/graphql';
import type { AuditAddress } from './audit-address';
import { auditPath } from './audit-links';
import classes from './audit.module.css';
import { usePersonName } from './use-person-name';

interface SubjectBarProps {
  address: AuditAddress;
  /** Any line of the list: it tells who or what the history is of. */
  first: AuditLineFragment | undefined;
}

/** Whose history is shown, and the ways from there. */
export function SubjectBar({ address: { view, of }, first }: SubjectBarProps) {
  const { t } = useTranslation('audit');
  const nameOf = usePersonName();
  if (of === null) return null;
  if (view === 'post') {
    const { post } = first ?? {};
    if (!post) return null;
    return (
      <Group className={classes.of} gap="md">
        <strong className={classes.ofName}>{post.title}</strong>
        <Anchor component={Link} to={paths.singleQuestion(post.questionId, 'home')}>
          {t('links.question')}
        </Anchor>
      </Group>
    );
  }
  if (view !== 'voter' && view !== 'receiver') return null;
  const person = first?.[view];
  const space = first?.space?._id;
  return (
    <Group className={classes.of} gap="md">
      {person && (
        <Group gap="xs" wrap="nowrap">
          <PersonAvatar person={person} size={28} />
          <strong className={classes.ofName}>{nameOf(person)}</strong>
        </Group>
      )}
      {view === 'voter' ? (
        <Anchor component={Link} to={auditPath({ view: 'receiver', of })}>
          {t('links.asReceiver')}
        </Anchor>
      ) : (
        <Anchor component={Link} to={auditPath({ view: 'voter', of })}>
          {t('links.asVoter')}
        </Anchor>
      )}
      <Anchor component={Link} to={auditPath({ actor: of })}>
        {t('links.asActor')}
      </Anchor>
      {person && !person.isErased && !person.isStandIn && (
        <>
          <Anchor component={Link} to={paths.userDetail(of, space)}>
            {t('links.profile')}
          </Anchor>
          <Anchor component={Link} to={`${paths.scoreExplanation}?student=${of}`}>
            {t('links.score')}
          </Anchor>
        </>
      )}
    </Group>
  );
}

import { Anchor, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { PersonAvatar } from '../../../components/person-avatar';
import { GiversLink } from '../../../features/vote-cases/givers-link';
import type { AuditLineFragment, AuditPersonLineFragment } from '../../../generated/graphql';
import { type AuditAddress, auditPath } from './audit-address';
import classes from './audit.module.css';
import { usePersonName } from './audit-words';

interface SubjectBarProps {
  address: AuditAddress;
  /** Any entry of the list, to name the person or post. */
  first: AuditLineFragment | undefined;
}

const OTHER_SIDE = {
  voter: { view: 'receiver', label: 'links.asReceiver' },
  receiver: { view: 'voter', label: 'links.asVoter' },
} as const;

/** The person or post being viewed, with links to related views. */
export function SubjectBar({ address: { view, of }, first }: SubjectBarProps) {
  const { t } = useTranslation('audit');
  const nameOf = usePersonName();
  if (of === null) return null;
  if (view === 'post') return <PostBar post={first?.post} space={first?.space?._id} />;
  if (view !== 'voter' && view !== 'receiver') return null;
  const other = OTHER_SIDE[view];
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
      <Anchor component={Link} to={auditPath({ view: other.view, of })}>
        {t(other.label)}
      </Anchor>
      {space !== undefined && <VoteLinks view={view} of={of} space={space} />}
      <Anchor component={Link} to={auditPath({ actor: of })}>
        {t('links.asActor')}
      </Anchor>
      {person && <AccountLinks person={person} space={space} />}
    </Group>
  );
}

interface VoteLinksProps {
  view: 'voter' | 'receiver';
  of: string;
  space: string;
}

function VoteLinks({ view, of, space }: VoteLinksProps) {
  const { t } = useTranslation('audit');
  const filter = view === 'voter' ? { voter: of } : { author: of };
  return (
    <>
      <Anchor component={Link} to={paths.votesToReview({ space, ...filter })}>
        {t('links.review')}
      </Anchor>
      {view === 'receiver' && <GiversLink space={space} author={of} />}
    </>
  );
}

/** Links that exist only for people with an account. */
function AccountLinks({ person, space }: { person: AuditPersonLineFragment; space: string | undefined }) {
  const { t } = useTranslation('audit');
  if (person.isErased || person.isStandIn) return null;
  return (
    <>
      <Anchor component={Link} to={paths.userDetail(person._id, space)}>
        {t('links.profile')}
      </Anchor>
      <Anchor
        component={Link}
        to={`${paths.scoreExplanation}?${new URLSearchParams({ student: person._id, ...(space && { space }) })}`}
      >
        {t('links.score')}
      </Anchor>
    </>
  );
}

interface PostBarProps {
  post: AuditLineFragment['post'] | undefined;
  space: string | undefined;
}

function PostBar({ post, space }: PostBarProps) {
  const { t } = useTranslation('audit');
  if (!post) return null;
  return (
    <Group className={classes.of} gap="md">
      <strong className={classes.ofName} dir="auto">
        {post.title}
      </strong>
      <Anchor component={Link} to={paths.singleQuestion(post.questionId, 'home')}>
        {t('links.question')}
      </Anchor>
      {space !== undefined && (
        <Anchor component={Link} to={paths.votesToReview({ space, post: post._id })}>
          {t('links.review')}
        </Anchor>
      )}
    </Group>
  );
}

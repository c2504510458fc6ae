import { Badge, Button, UnstyledButton } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconArrowBigUp from '@tabler/icons-react/dist/esm/icons/IconArrowBigUp.mjs';
import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs';
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs';
import IconGavel from '@tabler/icons-react/dist/esm/icons/IconGavel.mjs';
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs';
import IconShieldX from '@tabler/icons-react/dist/esm/icons/IconShieldX.mjs';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Objection } from '../../components/objection';
import { PersonAvatar } from '../../components/person-avatar';
import { ExactTime } from '../../components/exact-time';
import { RelativeTime } from '../../components/relative-time';
import cut from '../../components/rich-text/cut-line.module.css';
import { excerptPieces } from '../../components/rich-text/formula-source';
import { InlineText, MarkedWords } from '../../components/rich-text/inline-text';
import { toast } from '../../components/toast';
import type { NotificationItemFragment } from '../../generated/graphql';
import { paths } from '../../lib/paths';
import type { PostTarget, PostTargetState } from '../questions/post-target';
import { EntryRequestActions, type RowActions } from './entry-requests';
import type { NotificationGroup } from './notification-groups';
import classes from './notifications.module.css';

type Payload = NotificationItemFragment['payload'];
type PostPayload = Exclude<
  Payload,
  | { student: unknown }
  | { patterns: unknown }
  | { until: unknown }
  | { caseId: unknown }
  | { warning: unknown }
  | { posts: unknown }
>;

interface NotificationItemProps {
  group: NotificationGroup;
  onClose: () => void;
}

/** `a and b`, or the latest and the number of others. */
function useNames(authors: NotificationGroup['authors']): string {
  const { t, i18n } = useTranslation('notifications');
  const [first, ...others] = authors.map(({ userName }) => userName || t('someone'));
  const names = others.length > 1 ? [first, t('others', { count: others.length })] : [first, ...others];
  return new Intl.ListFormat(i18n.language).format(names.filter((name) => name !== undefined));
}

/** A notification that links to its question, or has links or buttons of its own. */
export function NotificationItem({ group, ...actions }: RowActions & { group: NotificationGroup }) {
  const { payload } = group.latest;
  const content = <Content group={group} />;
  if ('warning' in payload)
    return (
      <div className={group.isNew ? classes.new : undefined}>
        <div className={classes.item}>{content}</div>
        <WarningLinks warning={payload} onClose={actions.onClose} />
      </div>
    );
  // It has no post to open, but may have a link of its own: where to object.
  if ('posts' in payload)
    return <div className={`${classes.item} ${group.isNew ? classes.new : ''}`}>{content}</div>;
  if (!('student' in payload))
    return (
      <NotificationLink group={group} onClose={actions.onClose}>
        {content}
      </NotificationLink>
    );
  const { space: spaceId, student } = payload;
  return (
    <div className={group.isNew ? classes.new : undefined}>
      <div className={classes.item}>{content}</div>
      <EntryRequestActions
        request={{ spaceId, studentId: student._id, name: student.userName }}
        {...actions}
      />
    </div>
  );
}

/** The notification, worded by its type. */
function Content({ group }: { group: NotificationGroup }) {
  const { t } = useTranslation('notifications');
  const { latest, authors, isNew } = group;
  const { type, payload, createdAt } = latest;
  const [author] = authors;
  const name = useNames(authors);
  const space = 'spaceName' in payload ? payload.spaceName : '';
  const count = countIn(payload) ?? Math.max(authors.length, 1);
  return (
    <>
      {author ? <PersonAvatar person={author} size={36} /> : <TypeIcon type={type} />}
      <span className={classes.text}>
        <span className={classes.what}>{t(`type.${type}`, { name, count, space })}</span>
        {'text' in payload && payload.text && (
          <span className={`${classes.excerpt} ${classes.request}`} dir="auto">
            {payload.text}
          </span>
        )}
        {'until' in payload && <Suspension suspension={payload} />}
        {'posts' in payload && <Removal removal={payload} isObjectionShown={type === 'POSTS_REMOVED'} />}
        {'caseId' in payload && (
          <span className={`${classes.excerpt} ${classes.request}`} dir="auto">
            {payload.reason}
          </span>
        )}
        {'warning' in payload && (
          <span className={`${classes.excerpt} ${classes.request}`} dir="auto">
            {payload.warning}
          </span>
        )}
        {'questionTitle' in payload && (
          <span className={`${cut.line} ${classes.excerpt}`} dir="auto">
            <Excerpt type={type} payload={payload} />
          </span>
        )}
        {type === 'POST_REMOVED' && <span className={classes.excerpt}>{t('howToObject')}</span>}
        <span className={classes.foot}>
          <RelativeTime at={createdAt} />
          {isNew && (
            <Badge size="sm" variant="filled" tt="none">
              {t('new')}
            </Badge>
          )}
        </span>
      </span>
    </>
  );
}

interface WarningLinksProps {
  warning: Extract<Payload, { warning: unknown }>;
  onClose: () => void;
}

/** The post that a warning is about, and where to object. */
function WarningLinks({ warning: { post, objectTo }, onClose }: WarningLinksProps) {
  const { t } = useTranslation('notifications');
  return (
    <div className={classes.answers}>
      <span className={classes.excerpt}>
        <Objection contact={objectTo} />
      </span>
      {post && (
        <Button
          component={Link}
          to={paths.singleQuestion(post.questionId, 'home')}
          state={{ target: post } satisfies PostTargetState}
          title={post.questionTitle}
          variant="subtle"
          onClick={onClose}
        >
          {t('openWarnedPost')}
        </Button>
      )}
    </div>
  );
}

function Suspension({ suspension: { until, reason } }: { suspension: Extract<Payload, { until: unknown }> }) {
  const { t } = useTranslation('notifications');
  return (
    <>
      {reason !== '' && (
        <span className={`${classes.excerpt} ${classes.request}`} dir="auto">
          {reason}
        </span>
      )}
      <span className={classes.excerpt}>
        {until === null ? (
          t('suspendedUntilLifted')
        ) : (
          <>
            {t('suspendedUntil')} <ExactTime at={until} />
          </>
        )}
      </span>
    </>
  );
}

interface RemovalProps {
  removal: Extract<Payload, { posts: unknown }>;
  isObjectionShown: boolean;
}

function Removal({ removal: { reason, objectTo }, isObjectionShown }: RemovalProps) {
  return (
    <>
      {reason !== '' && (
        <span className={`${classes.excerpt} ${classes.request}`} dir="auto">
          {reason}
        </span>
      )}
      {isObjectionShown && (
        <span className={classes.excerpt}>
          <Objection contact={objectTo} />
        </span>
      )}
    </>
  );
}

function countIn(payload: Payload): number | undefined {
  if ('upvotes' in payload) return payload.upvotes;
  if ('openReports' in payload) return payload.openReports;
  if ('votes' in payload) return payload.votes;
  if ('posts' in payload) return payload.posts;
  return 'patterns' in payload ? payload.patterns : undefined;
}

const GOOD = 'good';
const BAD = 'bad';
const icons: Partial<Record<NotificationItemFragment['type'], readonly [Icon, tone?: string]>> = {
  POST_REMOVED: [IconShieldX, BAD],
  POST_RESTORED: [IconShieldCheck, GOOD],
  POSTS_REMOVED: [IconShieldX, BAD],
  POSTS_RESTORED: [IconShieldCheck, GOOD],
  SUSPENDED: [IconShieldX, BAD],
  WARNED: [IconAlertTriangle, BAD],
  POST_REPORTED: [IconFlag],
  CASE_ESCALATED: [IconFlag, BAD],
  PATTERNS_FOUND: [IconArrowsExchange],
  INVALIDATION_PROPOSED: [IconGavel],
};
const UPVOTES = [IconArrowBigUp, GOOD] as const;

/** In place of a picture, if the notification names nobody. */
function TypeIcon({ type }: { type: NotificationItemFragment['type'] }) {
  const [Shown, tone] = icons[type] ?? UPVOTES;
  return (
    <span className={classes.icon} data-tone={tone} aria-hidden>
      <Shown size={20} stroke={1.75} />
    </span>
  );
}

/** Excerpt of the comment or answer, otherwise the question's title. */
function Excerpt({ type, payload }: { type: NotificationItemFragment['type']; payload: PostPayload }) {
  if ('commentBody' in payload) return <MarkedWords text={payload.commentBody} isExcerpt />;
  if ('reason' in payload) return <InlineText text={payload.reason} />;
  const answer = type === 'NEW_ANSWER' && 'answer' in payload ? payload.answer : null;
  return <InlineText text={answer?.excerpt ? excerptPieces(answer.excerpt) : payload.questionTitle} />;
}

/** The post that the notification is about. */
function targetOf({ payload }: NotificationItemFragment): PostTarget {
  return {
    answerId: 'answer' in payload ? (payload.answer?._id ?? null) : null,
    commentId: 'commentId' in payload ? payload.commentId : null,
  };
}

/** Null if the post is gone. */
function addressOf(payload: Payload): string | null {
  if ('postId' in payload) return paths.moderationCase(payload.postId);
  if ('caseId' in payload) return paths.voteCase(payload.caseId);
  if ('patterns' in payload) return paths.votePatternsOf(payload.space);
  if ('until' in payload) return paths.dashboard;
  const questionId = 'questionId' in payload ? payload.questionId : null;
  return questionId === null ? null : paths.singleQuestion(questionId, 'home');
}

function NotificationLink({ group, onClose, children }: NotificationItemProps & { children: ReactNode }) {
  const { t } = useTranslation('notifications');
  const { latest, isNew } = group;
  const address = addressOf(latest.payload);
  const className = `${classes.item} ${isNew ? classes.new : ''}`;
  if (address !== null)
    return (
      <Link
        className={className}
        to={address}
        state={{ target: targetOf(latest) } satisfies PostTargetState}
        onClick={onClose}
      >
        {children}
      </Link>
    );
  const reportMissing = () => {
    if (latest.type !== 'NEW_QUESTION') toast.error(t('noQuestion'));
  };
  return (
    <UnstyledButton className={className} onClick={reportMissing}>
      {children}
    </UnstyledButton>
  );
}

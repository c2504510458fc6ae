import { useTranslation } from 'react-i18next';
import { ActionIcon, Anchor, Table, Tooltip, VisuallyHidden } from '@mantine/core';
import IconGavel from '@tabler/icons-react/dist/esm/icons/IconGavel.mjs';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { ExactTime } from '../../../components/exact-time';
import type { AuditLineFragment, AuditPersonLineFragment } from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';
import { auditPath } from './audit-address';
import { AuditPoints } from './audit-points';
import classes from './audit.module.css';
import { isImportItself, useAboutText, useEventLabel, useImportName, usePersonName } from './audit-words';
import { useOwnSpaces } from './use-audit';

const columns = ['time', 'actor', 'action', 'target', 'points', 'rules', 'ordinal'] as const;

/** Audit entries as a dense table. */
export function AuditTable({ lines }: { lines: readonly AuditLineFragment[] }) {
  const { t } = useTranslation('audit');
  return (
    <div className={classes.tableFrame}>
      <Table
        className={classes.table}
        aria-label={t('table.label')}
        highlightOnHover
        verticalSpacing={6}
        horizontalSpacing="sm"
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} scope="col" data-column={column}>
                {t(`table.${column}`)}
              </Table.Th>
            ))}
            <Table.Th scope="col">
              <VisuallyHidden>{t('table.review')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Line key={`${line.ordinal}:${line.line}`} line={line} />
          ))}
        </Table.Tbody>
      </Table>
      <p className={classes.note}>{t('table.note')}</p>
    </div>
  );
}

function Line({ line }: { line: AuditLineFragment }) {
  const { t, i18n } = useTranslation('audit');
  const what = useEventLabel();
  const { ordinal, occurredAt, recordedAt, reason, points } = line;
  const isLate = recordedAt !== occurredAt;
  return (
    <Table.Tr>
      <Table.Td data-column="when">
        <ExactTime at={occurredAt} />
        {isLate && (
          <span className={classes.second}>
            {t('table.recorded')} <ExactTime at={recordedAt} />
          </span>
        )}
      </Table.Td>
      <Table.Td data-column="actor">
        <Actor line={line} />
      </Table.Td>
      <Table.Td>
        <span className={classes.what} data-class={line.class}>
          {what(line)}
        </span>
        {reason !== null && reason !== '' && (
          <span className={classes.second} dir="auto">
            {reason}
          </span>
        )}
      </Table.Td>
      <Table.Td>
        <Subject line={line} />
      </Table.Td>
      <Table.Td data-column="points">
        <AuditPoints points={points} />
      </Table.Td>
      <Table.Td data-column="rules">
        {versionsOf(points)
          .map((version) => t('table.version', { version }))
          .join(', ')}
      </Table.Td>
      <Table.Td data-column="ordinal">
        <Anchor
          component={Link}
          to={paths.act(ordinal)}
          fz="inherit"
          aria-label={t('links.event', { ordinal })}
        >
          {wholeNumber(ordinal, i18n.language)}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <ReviewLink line={line} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Link to the votes of an entry, for moderators of its space. */
function ReviewLink({ line }: { line: AuditLineFragment }) {
  const { t } = useTranslation('audit');
  const mayReview = useOwnSpaces();
  const path = line.space && mayReview(line.space._id) ? reviewPathOf(line) : null;
  if (path === null) return null;
  return (
    <Tooltip label={t('links.review')}>
      <ActionIcon
        component={Link}
        to={path}
        variant="subtle"
        size="sm"
        aria-label={t('links.reviewEvent', { ordinal: line.ordinal })}
      >
        <IconGavel size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** The actor; for an imported vote, the voter. */
function Actor({ line }: { line: AuditLineFragment }) {
  const { t } = useTranslation('audit');
  const importName = useImportName();
  const { actor, actorKind, operator, voter } = line;
  const isItself = isImportItself(line);
  const person = isItself ? null : (actor ?? (actorKind === 'system' ? voter : null));
  const kind = isItself ? importName(line) : t(`actor.${actorKind}`);
  return (
    <>
      {person ? <Person person={person} to={auditPath({ actor: person._id })} /> : kind}
      {person && actorKind === 'import' && <span className={classes.second}>{importName(line)}</span>}
      {operator !== null && <span className={classes.second}>{operator}</span>}
    </>
  );
}

interface PersonProps {
  person: AuditPersonLineFragment;
  to: string;
}

function Person({ person, to }: PersonProps) {
  const nameOf = usePersonName();
  return (
    <Anchor
      component={Link}
      to={to}
      className={classes.person}
      data-nameless={person.isErased || person.isStandIn}
    >
      {nameOf(person)}
    </Anchor>
  );
}

/** Whether the text of `about` is shown, and not only part of the line's title. */
const showsAbout = ({ post, kind, class: kindOfLine }: AuditLineFragment): boolean =>
  post ? kind === 'ReportsUpheld' : kindOfLine !== 'READ' && kind !== 'VotePatternTriaged';

/** The post and its author; without a post, the person or thing affected. */
function Subject({ line }: { line: AuditLineFragment }) {
  const { t } = useTranslation('audit');
  const aboutText = useAboutText();
  const { post, receiver, voter, about, lines, kind, class: kindOfLine, caseId } = line;
  return (
    <>
      {post && (
        <span className={classes.post}>
          <Anchor
            component={Link}
            to={auditPath({ view: 'post', of: post._id })}
            className={classes.title}
            title={post.title}
          >
            <bdi>{post.title === '' ? t('post.unknown') : post.title}</bdi>
          </Anchor>
          <span className={classes.postType}>{t(`post.${post.postType}`)}</span>
        </span>
      )}
      {about !== null && showsAbout(line) && (
        <span className={post ? classes.second : classes.title}>{aboutText(line)}</span>
      )}
      {receiver && (
        <span className={classes.second}>
          {t(post ? 'table.by' : 'table.about')}{' '}
          <Person person={receiver} to={auditPath({ view: 'receiver', of: receiver._id })} />
        </span>
      )}
      {caseId !== null && voter && (
        <span className={classes.second}>
          {t('table.voteOf')} <Person person={voter} to={auditPath({ view: 'voter', of: voter._id })} />
        </span>
      )}
      {kindOfLine === 'ACT' && lines > 1 && (
        <span className={classes.second}>
          {t(kind === 'VotePatternTriaged' ? 'table.accounts' : 'table.votes', { count: lines })}
        </span>
      )}
    </>
  );
}

type Moved = AuditLineFragment['points'][number];

const versionsOf = (points: readonly Moved[]): readonly number[] =>
  [...new Set(points.map(({ rulesVersion }) => rulesVersion))].sort((left, right) => left - right);

const VOTED_ON: ReadonlySet<string> = new Set(['QUESTION', 'ANSWER']);

/**
 * Path to the votes of an entry, filtered by its voter, author and post; if it names none of the three, to its case. Null without a
 * space, or if the entry has neither.
 */
function reviewPathOf({
  space,
  class: kind,
  voter,
  receiver,
  post,
  caseId,
}: AuditLineFragment): string | null {
  if (!space) return null;
  const named = {
    // In a report the voter is the reporter; an import's stand-in has no votes to review.
    voter: kind !== 'REPORT' && voter && !voter.isStandIn ? voter._id : undefined,
    author: receiver?._id,
    post: post && VOTED_ON.has(post.postType) ? post._id : undefined,
  };
  const filters = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const ofCase = caseId === null ? null : paths.voteCase(caseId);
  return filters.length === 0
    ? ofCase
    : paths.votesToReview({ space: space._id, ...Object.fromEntries(filters) });
}

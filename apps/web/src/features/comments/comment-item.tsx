import { ActionIcon, Menu } from '@mantine/core';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useTranslation } from 'react-i18next';
import { PersonAvatar } from '../../components/person-avatar';
import type { CommentDetailFragment } from '../../generated/graphql';
import { ParticipantLink } from '../questions/participant-link';
import { useParticipation } from '../questions/participation';
import { usePostActions } from '../questions/post-actions';
import { useShownTarget } from '../questions/post-target';
import type { CommentType } from '../reports/report-type';
import { CommentBody } from './comment-body';
import { CommentDate } from './comment-date';
import { shownName } from '../../lib/erased';
import classes from './comments.module.css';

interface CommentItemProps {
  comment: CommentDetailFragment;
  type: CommentType;
}

export function CommentItem({ comment, type, isTarget }: CommentItemProps & { isTarget: boolean }) {
  const item = useShownTarget<HTMLLIElement>(isTarget);
  return (
    <li
      ref={item}
      className={classes.item}
      data-target={isTarget || undefined}
      tabIndex={isTarget ? -1 : undefined}
    >
      <PersonAvatar person={comment.author} size={28} />
      <div className={classes.text}>
        <div className={classes.byline}>
          <ParticipantLink person={comment.author} className={classes.author}>
            {shownName(comment.author)}
          </ParticipantLink>
          <CommentDate at={comment.createdAt} />
        </div>
        <CommentBody body={comment.body} mentions={comment.mentions} />
      </div>
      <CommentMenu comment={comment} type={type} />
    </li>
  );
}

function CommentMenu({ comment, type }: CommentItemProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const { kind, studentId, act } = useParticipation();
  const { confirmDelete, report } = usePostActions();
  if (kind === 'reader') return null;
  const target = { type, _id: comment._id };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="dimmed"
          aria-label={t('menu', { name: shownName(comment.author) })}
        >
          <IconDots size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {studentId === comment.author._id ? (
          <Menu.Item
            color="var(--nimo-danger)"
            leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
            onClick={() => act(() => confirmDelete(target))}
          >
            {t('delete')}
          </Menu.Item>
        ) : (
          <Menu.Item
            leftSection={<IconFlag size={16} stroke={1.75} aria-hidden />}
            onClick={() => act(() => report(target))}
          >
            {t('report')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

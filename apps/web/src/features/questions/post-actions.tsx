import { useApolloClient } from '@apollo/client/react';
import { ActionIcon, type ActionIconProps, Menu } from '@mantine/core';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs';
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import type { DocumentNode } from 'graphql';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/dialogs';
import { toast } from '../../components/toast';
import {
  DeleteAnswerCommentDocument,
  DeleteAnswerDocument,
  DeleteQuestionCommentDocument,
  DeleteQuestionDocument,
} from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { errorText } from '../../lib/api/errors';
import { hidePosts } from '../reports/hidden-posts';
import { ReportDialog } from '../reports/report-dialog';
import type { ReportType } from '../reports/report-type';
import { useParticipation } from '../people/participation';

export interface PostTarget {
  type: ReportType;
  _id: string;
}

interface PostActions {
  confirmDelete: (target: PostTarget) => void;
  report: (target: PostTarget) => void;
}

const PostActionsContext = createContext<PostActions | null>(null);

const deletions = {
  QUESTION: {
    mutation: DeleteQuestionDocument,
    typename: 'Question',
    message: 'confirmDelete.questionDeleted',
  },
  ANSWER: { mutation: DeleteAnswerDocument, typename: 'Answer', message: 'confirmDelete.answerDeleted' },
  QUESTION_COMMENT: {
    mutation: DeleteQuestionCommentDocument,
    typename: 'Comment',
    message: 'comments.questionDeleted',
  },
  ANSWER_COMMENT: {
    mutation: DeleteAnswerCommentDocument,
    typename: 'Comment',
    message: 'comments.answerDeleted',
  },
} as const satisfies Record<ReportType, { mutation: DocumentNode; typename: string; message: string }>;

/** Deletes a post; evicting it from the cache removes it from all lists. */
function useDeletion(onDeleted: (target: PostTarget) => void) {
  const { t } = useTranslation('ask');
  const client = useApolloClient();
  const studentId = useAuthUser()?._id;
  const [pending, setPending] = useState(false);
  const remove = async (target: PostTarget) => {
    const { mutation, typename, message } = deletions[target.type];
    setPending(true);
    try {
      await client.mutate({ mutation, variables: { id: target._id } });
      if (studentId !== undefined) hidePosts(studentId, target.type, [target._id]);
      toast.success(t(message));
      onDeleted(target);
      const id = client.cache.identify({ __typename: typename, _id: target._id });
      if (target.type !== 'QUESTION' && id !== undefined) client.cache.evict({ id });
    } catch (error) {
      toast.error(errorText(error));
    } finally {
      setPending(false);
    }
  };
  return { remove, pending };
}

interface PostActionsProviderProps {
  /** Called after a post was deleted or reported, and hidden. */
  onGone: (target: PostTarget) => void;
  children: ReactNode;
}

/** Provides the delete and report dialogs of a question. */
export function PostActionsProvider({ onGone, children }: PostActionsProviderProps) {
  const { t } = useTranslation('ask');
  const studentId = useAuthUser()?._id;
  const [deleting, setDeleting] = useState<PostTarget>();
  const [reporting, setReporting] = useState<PostTarget>();
  const { remove, pending } = useDeletion((target) => {
    setDeleting(undefined);
    onGone(target);
  });
  const actions = useMemo(() => ({ confirmDelete: setDeleting, report: setReporting }), []);
  const handleReported = ({ type, _id }: PostTarget) => {
    setReporting(undefined);
    if (studentId !== undefined) hidePosts(studentId, type, [_id]);
    onGone({ type, _id });
  };
  return (
    <PostActionsContext.Provider value={actions}>
      {children}
      <ConfirmDialog
        opened={deleting !== undefined}
        title={t('confirmDelete.title')}
        text={t('confirmDelete.text')}
        confirmLabel={t('confirmDelete.confirm')}
        danger
        pending={pending}
        onClose={() => setDeleting(undefined)}
        onConfirm={() => deleting && void remove(deleting)}
      />
      {reporting && (
        <ReportDialog
          id={reporting._id}
          type={reporting.type}
          onReported={() => handleReported(reporting)}
          onClose={() => setReporting(undefined)}
        />
      )}
    </PostActionsContext.Provider>
  );
}

function usePostActions(): PostActions {
  const actions = useContext(PostActionsContext);
  if (!actions) throw new Error('usePostActions needs a PostActionsProvider above it');
  return actions;
}

interface PostMenuProps extends Pick<ActionIconProps, 'size' | 'className'> {
  target: PostTarget;
  authorId: string;
  label: string;
  /** Undefined for posts that cannot be edited. */
  onEdit?: () => void;
}

/** Edit and Delete for the author, Report for other members; nothing for those who only read. */
export function PostMenu({ target, authorId, label, onEdit, ...button }: PostMenuProps) {
  const { t } = useTranslation('ask');
  const words = target.type === 'QUESTION' || target.type === 'ANSWER' ? 'question' : 'comments';
  const { onlyReads, studentId, act } = useParticipation();
  const { confirmDelete, report } = usePostActions();
  if (onlyReads) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="dimmed" aria-label={label} {...button}>
          <IconDots size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {studentId === authorId ? (
          <>
            {onEdit && (
              <Menu.Item
                leftSection={<IconEdit size={16} stroke={1.75} aria-hidden />}
                onClick={() => act(onEdit)}
              >
                {t('question.edit')}
              </Menu.Item>
            )}
            <Menu.Item
              color="var(--nimo-danger)"
              leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
              onClick={() => act(() => confirmDelete(target))}
            >
              {t(`${words}.delete`)}
            </Menu.Item>
          </>
        ) : (
          <Menu.Item
            leftSection={<IconFlag size={16} stroke={1.75} aria-hidden />}
            onClick={() => act(() => report(target))}
          >
            {t(`${words}.report`)}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

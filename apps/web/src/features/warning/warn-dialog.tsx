import { useApolloClient, useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { ReasonDialog } from '../../components/dialogs';
import { toast } from '../../components/toast';
import { WarnMemberDocument } from '../../generated/graphql';

interface WarnDialogProps {
  student: { readonly _id: string; readonly userName: string };
  space: string;
  /** Reported post that the warning is about. */
  postId?: string;
  onClose: () => void;
}

/** Warns a student in a space, and says what the student will read. */
export function WarnDialog({ student, space, postId, onClose }: WarnDialogProps) {
  const { t } = useTranslation('userDetail');
  const client = useApolloClient();
  const [warn] = useMutation(WarnMemberDocument);
  const name = student.userName;
  return (
    <ReasonDialog
      title={t('warn.title', { name })}
      text={t(postId === undefined ? 'warn.text' : 'warn.textAboutPost', { name })}
      label={t('warn.label')}
      hint={t('warn.hint')}
      missing={t('warn.missing')}
      submitLabel={t('warn.button')}
      closeOnClickOutside
      onSubmit={async (text) => {
        await warn({ variables: { studentId: student._id, space, text, postId: postId ?? null } });
        toast.success(t('warn.done', { name }));
        onClose();
        await client.refetchQueries({ include: ['ModerationCase', 'StudentWarnings'] });
      }}
      onClose={onClose}
    />
  );
}

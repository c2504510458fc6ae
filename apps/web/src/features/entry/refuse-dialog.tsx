import { useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { ReasonDialog } from '../../components/dialogs';
import { toast } from '../../components/toast';
import { AnswerEntryRequestDocument } from '../../generated/graphql';
import { errorRule, errorText } from '../../lib/api/errors';
import type { AnsweredRequest } from './entry-answer';

interface RefuseDialogProps {
  request: AnsweredRequest;
  onClose: () => void;
  /** After the student was declined, or if the request is no longer open. */
  onAnswered: () => void;
}

/** Another moderator answered first, the student withdrew the request, or the account was deleted. */
const isGone = (error: unknown): boolean =>
  ['ENTRY_NOT_REQUESTED', 'STUDENT_NOT_FOUND'].includes(errorRule(error) ?? '');

/** Declines a join request, with an optional reason for the student. */
export default function RefuseDialog({ request, onClose, onAnswered }: RefuseDialogProps) {
  const { t } = useTranslation('entry');
  const { spaceId, studentId, name } = request;
  const [answer] = useMutation(AnswerEntryRequestDocument);
  const submit = async (reason: string) => {
    try {
      await answer({ variables: { space: spaceId, studentId, isAccepted: false, reason } });
      toast.success(t('refused', { name }));
    } catch (error) {
      if (!isGone(error)) throw error;
      toast.error(errorText(error));
    }
    onAnswered();
  };
  return (
    <ReasonDialog
      title={t('refuseTitle', { name })}
      submitLabel={t('refuse')}
      danger
      label={t('reason')}
      isOptional
      onSubmit={submit}
      onClose={onClose}
    />
  );
}

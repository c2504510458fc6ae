import { useMutation } from '@apollo/client/react';
import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { AnswerEntryRequestDocument } from '../../generated/graphql';
import { errorText } from '../../lib/api/errors';

/** A student's request to join a space. */
export interface AnsweredRequest {
  spaceId: string;
  studentId: string;
  /** Username of the student. */
  name: string;
}

interface EntryAnswerProps {
  request: AnsweredRequest;
  /** After the student was accepted, or if the request is no longer open. */
  onAnswered: () => void;
  onRefuse: () => void;
}

/** Buttons that accept a join request at once, or open the dialog that declines it. */
export default function EntryAnswer({ request, onAnswered, onRefuse }: EntryAnswerProps) {
  const { t } = useTranslation('entry');
  const { spaceId, studentId, name } = request;
  const [answer, { loading }] = useMutation(AnswerEntryRequestDocument);
  const accept = async () => {
    try {
      await answer({ variables: { space: spaceId, studentId, isAccepted: true } });
      toast.success(t('accepted', { name }));
    } catch (error) {
      // Another moderator may have answered, or the student may have withdrawn it: refetch.
      toast.error(errorText(error));
    }
    onAnswered();
  };
  return (
    <Group wrap="nowrap">
      <Button aria-label={t('acceptName', { name })} loading={loading} onClick={() => void accept()}>
        {t('accept')}
      </Button>
      <Button variant="default" aria-label={t('refuseName', { name })} onClick={onRefuse}>
        {t('refuse')}
      </Button>
    </Group>
  );
}

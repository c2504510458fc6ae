import { useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { toast } from '../../components/toast';
import { JoinSpaceDocument, type SpaceCardFragment } from '../../generated/graphql';
import { errorText } from '../../lib/errors';

interface JoinSpaceDialogProps {
  /** The space to join; nothing closes the dialog. */
  space: SpaceCardFragment | undefined;
  onClose: () => void;
  onJoined: (space: SpaceCardFragment) => void;
}

export function JoinSpaceDialog({ space, onClose, onJoined }: JoinSpaceDialogProps) {
  const { t } = useTranslation('spaces');
  const [joinSpace, { loading }] = useMutation(JoinSpaceDocument, {
    onCompleted: ({ joinSpace: joined }) => onJoined(joined),
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <ConfirmDialog
      opened={space !== undefined}
      title={t('join.title')}
      text={t('join.text', { name: space?.name ?? '' })}
      confirmLabel={t('join.confirm')}
      cancelLabel={t('join.cancel')}
      pending={loading}
      onClose={onClose}
      onConfirm={() => space && void joinSpace({ variables: { spaceId: space._id } })}
    />
  );
}

import { useMutation } from '@apollo/client/react';
import { Button } from '@mantine/core';
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs';
import IconBookmarkFilled from '@tabler/icons-react/dist/esm/icons/IconBookmarkFilled.mjs';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { SaveQuestionDocument, UnsaveQuestionDocument } from '../../generated/graphql';
import { errorText } from '../../lib/api/errors';
import { useParticipation } from '../people/participation';

interface SaveButtonProps {
  question: { _id: string; isSaved: boolean };
}

/** Toggles a bookmark; shows the new state once the API has confirmed it. */
export function SaveButton({ question: { _id, isSaved } }: SaveButtonProps) {
  const { t } = useTranslation('ask');
  const { kind, act } = useParticipation();
  const [toggle, { loading }] = useMutation(isSaved ? UnsaveQuestionDocument : SaveQuestionDocument, {
    variables: { questionId: _id },
    update: (cache) => {
      const id = cache.identify({ __typename: 'Question', _id });
      cache.modify({ ...(id === undefined ? {} : { id }), fields: { isSaved: () => !isSaved } });
    },
    onError: (error) => toast.error(errorText(error)),
  });
  const save = () => void toggle();
  const SaveIcon = isSaved ? IconBookmarkFilled : IconBookmark;
  return (
    <Button
      variant="subtle"
      color="gray"
      c={isSaved ? 'var(--nimo-accent)' : 'dimmed'}
      size="compact-md"
      fz="sm"
      leftSection={<SaveIcon size={18} stroke={1.75} aria-hidden />}
      aria-pressed={isSaved}
      aria-busy={loading}
      onClick={() => !loading && (kind === 'silent' ? save() : act(save))}
    >
      {isSaved ? t('question.saved') : t('question.save')}
    </Button>
  );
}

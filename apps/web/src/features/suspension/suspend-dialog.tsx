import { useApolloClient, useMutation } from '@apollo/client/react';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReasonDialog } from '../../components/dialogs';
import { toast } from '../../components/toast';
import { SuspendMemberDocument } from '../../generated/graphql';

/** Offered lengths in days. */
const LENGTHS = [1, 3, 7, 30] as const;
const UNTIL_LIFTED = '';
const DAY_MS = 86_400_000;

const endIn = (days: string): string | null =>
  days === UNTIL_LIFTED ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();

interface SuspendDialogProps {
  student: { readonly _id: string; readonly userName: string };
  space: string;
  /** The new suspension replaces another. */
  isSuspended: boolean;
  onClose: () => void;
}

/** Suspends a student in a space, for some days or until a moderator lifts it. */
export function SuspendDialog({ student, space, isSuspended, onClose }: SuspendDialogProps) {
  const { t } = useTranslation('userDetail');
  const client = useApolloClient();
  const [days, setDays] = useState<string>(String(LENGTHS[0]));
  const [suspend] = useMutation(SuspendMemberDocument);
  const name = student.userName;
  return (
    <ReasonDialog
      title={t(isSuspended ? 'suspend.changeTitle' : 'suspend.title', { name })}
      text={t('suspend.text')}
      label={t('reason')}
      hint={t('suspend.hint')}
      missing={t('reasonMissing')}
      submitLabel={t(isSuspended ? 'suspend.change' : 'suspend.button')}
      danger
      closeOnClickOutside
      onSubmit={async (reason) => {
        await suspend({ variables: { studentId: student._id, space, reason, until: endIn(days) } });
        toast.success(t('suspend.done', { name }));
        onClose();
        await client.refetchQueries({ include: ['ModerationCase'] });
      }}
      onClose={onClose}
    >
      <Select
        label={t('suspend.length')}
        allowDeselect={false}
        value={days}
        onChange={(length) => setDays(length ?? UNTIL_LIFTED)}
        data={[
          ...LENGTHS.map((count) => ({ value: String(count), label: t('suspend.days', { count }) })),
          { value: UNTIL_LIFTED, label: t('suspend.untilLifted') },
        ]}
      />
    </ReasonDialog>
  );
}

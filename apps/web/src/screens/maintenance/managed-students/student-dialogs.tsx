import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Checkbox, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useForm, type UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FormDialog, saving } from '../../../components/dialogs';
import { SecurityLogList } from '../../../features/security-log/security-log-list';
import {
  BlockAccountDocument,
  EraseAccountDocument,
  KeepAccountDocument,
  type ManagedStudentPartsFragment,
  ResetSecondFactorDocument,
  StaffSecurityLogDocument,
  UnblockAccountDocument,
} from '../../../generated/graphql';
import { freshAtEachVisit, usePagedList } from '../../../lib/api/paged-list';
import { useFocusReturn } from '../../../lib/browser/focus';

const useBlockSchema = (needsReason: boolean) => z.object({ reason: useReasonSchema(needsReason) });
type BlockValues = z.infer<ReturnType<typeof useBlockSchema>>;

interface BlockDialogProps {
  student: ManagedStudentPartsFragment;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

/** Asks before a student is blocked, which needs a reason, or unblocked, which takes one. */
export function BlockDialog({ student, onSaved, onClose }: BlockDialogProps) {
  const { t } = useTranslation('content');
  const act = student.isBlocked ? 'unblock' : 'block';
  const needsReason = act === 'block';
  const [block] = useMutation(BlockAccountDocument);
  const [unblock] = useMutation(UnblockAccountDocument);
  const { register, handleSubmit, setError, formState } = useForm<BlockValues>({
    resolver: zodResolver(useBlockSchema(needsReason)),
    defaultValues: { reason: '' },
  });
  const send = async ({ reason }: BlockValues) => {
    const variables = { studentId: student._id, reason };
    const saved = needsReason
      ? (await block({ variables })).data?.blockAccount
      : (await unblock({ variables })).data?.unblockAccount;
    if (saved) onSaved(saved.act ?? null);
  };
  return (
    <FormDialog
      title={t(`students.${act}Title`, { name: student.userName })}
      submitLabel={t(`students.${act}`)}
      danger={needsReason}
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, ['reason']))}
    >
      <Text>{t(`students.${act}Text`)}</Text>
      <ReasonField
        description={t('students.reasonHint')}
        isNeeded={needsReason}
        error={formState.errors.reason?.message}
        field={register('reason')}
      />
    </FormDialog>
  );
}

interface EraseDialogProps {
  student: ManagedStudentPartsFragment;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

/** Asks before an account is to be deleted, which needs a reason, or takes that back. */
export function EraseDialog(props: EraseDialogProps) {
  return props.student.erasureDueAt === null ? <EraseForm {...props} /> : <KeepForm {...props} />;
}

function EraseForm({ student, onSaved, onClose }: EraseDialogProps) {
  const { t } = useTranslation('content');
  const [erase] = useMutation(EraseAccountDocument);
  const schema = z.object({
    reason: useReasonSchema(),
    withWords: z.boolean(),
  });
  const { register, handleSubmit, setError, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { reason: '', withWords: false },
  });
  const send = async ({ reason, withWords }: z.infer<typeof schema>) => {
    const { data } = await erase({ variables: { studentId: student._id, reason, withWords } });
    if (data) onSaved(data.eraseAccount.act ?? null);
  };
  return (
    <FormDialog
      title={t('students.eraseTitle', { name: student.userName })}
      submitLabel={t('students.erase')}
      danger
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, ['reason', 'withWords']))}
    >
      <Text>{t('students.eraseText')}</Text>
      <Checkbox label={t('students.eraseWords')} {...register('withWords')} />
      <ReasonField
        description={t('students.eraseHint')}
        error={formState.errors.reason?.message}
        field={register('reason')}
      />
    </FormDialog>
  );
}

function KeepForm({ student, onSaved, onClose }: EraseDialogProps) {
  const { t, i18n } = useTranslation('content');
  const [keep] = useMutation(KeepAccountDocument);
  const send = async () => {
    const { data } = await keep({ variables: { studentId: student._id } });
    if (data) onSaved(data.keepAccount.act ?? null);
  };
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' });
  return (
    <FormDialog
      title={t('students.keepTitle', { name: student.userName })}
      submitLabel={t('students.keep')}
      onClose={onClose}
      onSubmit={send}
    >
      <Text>{t('students.keepText', { at: day.format(new Date(student.erasureDueAt ?? '')) })}</Text>
    </FormDialog>
  );
}

interface ResetFactorDialogProps {
  student: ManagedStudentPartsFragment;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

/** For somebody who lost the device and the recovery codes. */
export function ResetFactorDialog({ student, onSaved, onClose }: ResetFactorDialogProps) {
  const { t } = useTranslation('content');
  const [reset] = useMutation(ResetSecondFactorDocument);
  const schema = z.object({
    reason: useReasonSchema(),
  });
  const { register, handleSubmit, setError, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { reason: '' },
  });
  const send = async ({ reason }: z.infer<typeof schema>) => {
    const { data } = await reset({ variables: { studentId: student._id, reason } });
    if (data) onSaved(data.resetSecondFactor.act ?? null);
  };
  return (
    <FormDialog
      title={t('students.resetFactorTitle', { name: student.userName })}
      submitLabel={t('students.resetFactor')}
      danger
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, ['reason']))}
    >
      <Text>{t('students.resetFactorText')}</Text>
      <ReasonField
        description={t('students.resetFactorHint')}
        error={formState.errors.reason?.message}
        field={register('reason')}
      />
    </FormDialog>
  );
}

interface SecurityLogDialogProps {
  /** Holds a role. */
  student: ManagedStudentPartsFragment;
  onClose: () => void;
}

/** What happened to the access to an account of staff. */
export function SecurityLogDialog({ student, onClose }: SecurityLogDialogProps) {
  const { t } = useTranslation('content');
  const { _id: studentId, userName: name } = student;
  useFocusReturn();
  const log = usePagedList(
    StaffSecurityLogDocument,
    { studentId, page: 1 },
    'getStaffSecurityLog',
    freshAtEachVisit,
  );
  return (
    <Modal opened onClose={onClose} title={t('students.securityLogTitle', { name })} size="lg">
      <Stack gap="md">
        <Text c="dimmed">{t('students.securityLogText')}</Text>
        <SecurityLogList log={log} />
      </Stack>
    </Modal>
  );
}

const REASON_MAX = 1000;

/** What staff write down with an act on an account. */
function useReasonSchema(isNeeded = true) {
  const { t } = useTranslation('content');
  return z
    .string()
    .check(
      z.trim(),
      z.minLength(isNeeded ? 1 : 0, t('missing.reason')),
      z.maxLength(REASON_MAX, t('tooLong', { max: REASON_MAX })),
    );
}

interface ReasonFieldProps {
  description: string;
  isNeeded?: boolean;
  error: string | undefined;
  field: UseFormRegisterReturn;
}

function ReasonField({ description, isNeeded = true, error, field }: ReasonFieldProps) {
  const { t } = useTranslation('content');
  return (
    <Textarea
      label={t(isNeeded ? 'students.reason' : 'students.reasonOptional')}
      description={description}
      withAsterisk={isNeeded}
      autosize
      minRows={2}
      data-autofocus
      error={error}
      {...field}
    />
  );
}

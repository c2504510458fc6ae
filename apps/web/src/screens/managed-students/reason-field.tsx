import { Textarea } from '@mantine/core';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

const REASON_MAX = 1000;

/** What staff write down with an act on an account. */
export function useReasonSchema(isNeeded = true) {
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

export function ReasonField({ description, isNeeded = true, error, field }: ReasonFieldProps) {
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

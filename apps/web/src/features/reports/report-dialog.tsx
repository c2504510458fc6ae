import { useMutation } from '@apollo/client/react';
import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../components/dialogs';
import { toast } from '../../components/toast';
import { ReportPostDocument } from '../../generated/graphql';
import {
  type ReportReason,
  reportReasonKeys,
  reportReasons,
  type ReportType,
  wireTypeOf,
} from './report-type';

interface ReportDialogProps {
  id: string;
  type: ReportType;
  onReported: () => void;
  onClose: () => void;
}

function isReportReason(value: string): value is ReportReason {
  return value in reportReasons;
}

/** Asks for the reason of a report. Mounted per report, so that nothing is preselected. */
export function ReportDialog({ id, type, onReported, onClose }: ReportDialogProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'report' });
  const [reason, setReason] = useState<ReportReason>();
  const [report] = useMutation(ReportPostDocument, {
    onCompleted: () => {
      toast.success(t('sent'));
      onReported();
    },
  });
  const submit = async () => {
    if (reason === undefined) return;
    await report({
      variables: { postId: id, postType: wireTypeOf(type), reason: reportReasons[reason] },
    });
  };
  return (
    <FormDialog
      title={t('title')}
      submitLabel={t('submit')}
      isIncomplete={reason === undefined}
      closeOnClickOutside
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('anonymous')}
      </Text>
      <Radio.Group
        aria-label={t('reasonLabel')}
        value={reason ?? ''}
        onChange={(value) => isReportReason(value) && setReason(value)}
      >
        <Stack gap="sm">
          {reportReasonKeys.map((key) => (
            <Radio key={key} value={key} label={t(`reasons.${key}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}

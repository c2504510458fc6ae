import { useMutation } from '@apollo/client/react';
import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { ReportPostDocument } from '../../generated/graphql';
import { errorText } from '../../lib/api/errors';
import { useFocusReturn } from '../../lib/browser/focus';
import { reportReasonKeys, reportReasons, type ReportReason } from './report-reasons';
import { wireTypeOf, type ReportType } from './report-type';

interface ReportDialogProps {
  id: string;
  type: ReportType;
  onReported: () => void;
  onClose: () => void;
}

function isReportReason(value: string): value is ReportReason {
  return value in reportReasons;
}

/** Asks for the reason of a report. Mounted anew for each report, so nothing is chosen at first. */
export function ReportDialog({ id, type, onReported, onClose }: ReportDialogProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'report' });
  useFocusReturn();
  const [reason, setReason] = useState<ReportReason>();
  const [report, { loading }] = useMutation(ReportPostDocument, {
    onCompleted: () => {
      toast.success(t('sent'));
      onReported();
    },
    onError: (error) => toast.error(errorText(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!reason) return;
    const variables = { postId: id, postType: wireTypeOf(type), reason: reportReasons[reason] };
    void report({ variables });
  };
  return (
    <Modal opened onClose={onClose} title={t('title')} size="md">
      <form onSubmit={submit}>
        <Text size="sm" c="dimmed" mb="md">
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
        <Group justify="flex-end" mt="lg">
          <Button type="submit" disabled={reason === undefined} loading={loading}>
            {t('submit')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

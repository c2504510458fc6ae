import { useTranslation } from 'react-i18next';
import { reportReasonKeys, reportReasons } from '../../../features/reports/report-reasons';

/** The api's own wording of a report's reason, in the language of the screen. */
export function useReasonText(): (reason: string) => string {
  const { t } = useTranslation('ask', { keyPrefix: 'report' });
  return (reason) => {
    const key = reportReasonKeys.find((known) => reportReasons[known] === reason);
    return key === undefined ? reason : t(`reasons.${key}`);
  };
}

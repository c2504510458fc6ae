import { useTranslation } from 'react-i18next';

interface AuditTimeProps {
  at: string;
  className?: string | undefined;
}

/** A moment to the second: what came first matters here. */
export function AuditTime({ at, className }: AuditTimeProps) {
  const { i18n } = useTranslation();
  const shown = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <time dateTime={at} className={className}>
      {shown.format(new Date(at))}
    </time>
  );
}

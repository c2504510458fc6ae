import { useTranslation } from 'react-i18next';

interface ExactTimeProps {
  at: string;
  className?: string | undefined;
}

/** A time to the second. Staff areas use it everywhere, because the order of events is evidence. */
export function ExactTime({ at, className }: ExactTimeProps) {
  const { i18n } = useTranslation();
  const shown = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <time dateTime={at} className={className}>
      {shown.format(new Date(at))}
    </time>
  );
}

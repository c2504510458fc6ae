import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exactTime, relativeTime } from '../lib/format';

const minute = 60_000;

interface RelativeTimeProps {
  at: string;
  className?: string;
  /** The sentence around it. */
  phrase?: (ago: string) => string;
}

/** Relative time, kept current; the exact time on hover. */
export function RelativeTime({ at, className, phrase = (ago) => ago }: RelativeTimeProps) {
  const { i18n } = useTranslation();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), minute);
    return () => clearInterval(timer);
  }, []);
  const date = new Date(at);
  return (
    <Tooltip label={exactTime(date, i18n.language)}>
      <time dateTime={at} className={className}>
        {phrase(relativeTime(date, now, i18n.language))}
      </time>
    </Tooltip>
  );
}

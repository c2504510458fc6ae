import { useTranslation } from 'react-i18next';
import { exactTime } from '../../lib/format';
import classes from './comments.module.css';

/** The date of a comment in full: a thread is read as a sequence. */
export function CommentDate({ at }: { at: string }) {
  const { i18n } = useTranslation();
  return (
    <time className={classes.date} dateTime={at}>
      {exactTime(new Date(at), i18n.language)}
    </time>
  );
}

import { RelativeTime } from '../../components/relative-time';
import classes from './comments.module.css';

export function CommentDate({ at }: { at: string }) {
  return <RelativeTime at={at} className={classes.date ?? ''} />;
}

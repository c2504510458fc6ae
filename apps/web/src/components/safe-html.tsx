import '../theme/palette.css';
import classes from './safe-html.module.css';

interface SafeHtmlProps {
  /** HTML that the api has sanitised; nothing else may be given. */
  html: string;
  className?: string;
}

/** The body of a post, set for reading. */
export function SafeHtml({ html, className = '' }: SafeHtmlProps) {
  return <div className={`${classes.body} ${className}`} dangerouslySetInnerHTML={{ __html: html }} />;
}

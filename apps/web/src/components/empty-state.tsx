import { Title, type TitleOrder } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  text?: string;
  /** The next step, usually a button. */
  action?: ReactNode;
  titleOrder?: TitleOrder;
}

/** Explains why there is nothing and what to do next. */
export function EmptyState({ icon: StateIcon, title, text, action, titleOrder = 2 }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon} aria-hidden>
        <StateIcon size={28} stroke={1.5} />
      </span>
      <Title order={titleOrder} size="h3">
        {title}
      </Title>
      {text !== undefined && <p className={classes.text}>{text}</p>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}

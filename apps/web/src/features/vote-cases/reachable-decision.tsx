import { Button, Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './vote-cases.module.css';

interface ReachableDecisionProps {
  decision: ReactNode;
  /** Below the list, where nothing is selected at first. */
  isBelow?: boolean;
  /** Shown in the bar: how much the decision covers. */
  summary: string;
  /** A list that may be long. */
  children: ReactNode;
}

/** A form next to the list it decides on. While the list is in view, a bar at its bottom leads to the form. */
export function ReachableDecision({ decision, isBelow = false, summary, children }: ReachableDecisionProps) {
  const { t } = useTranslation('patterns');
  const form = useRef<HTMLDivElement>(null);
  const shown = <div ref={form}>{decision}</div>;
  return (
    <>
      {!isBelow && shown}
      <div>
        {children}
        <div className={classes.bar}>
          <Text>{summary}</Text>
          <Button onClick={() => form.current?.querySelector('textarea')?.focus()}>{t('form.go')}</Button>
        </div>
      </div>
      {isBelow && shown}
    </>
  );
}

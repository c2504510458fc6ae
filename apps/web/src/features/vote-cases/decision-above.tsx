import { Button, Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './vote-cases.module.css';

interface DecisionAboveProps {
  decision: ReactNode;
  /** Shown in the bar: how much the decision covers. */
  summary: string;
  /** A list that may be long. */
  children: ReactNode;
}

/** A form above the list it decides on. While the list is in view, a bar at its bottom leads back to the form. */
export function DecisionAbove({ decision, summary, children }: DecisionAboveProps) {
  const { t } = useTranslation('patterns');
  const form = useRef<HTMLDivElement>(null);
  return (
    <>
      <div ref={form}>{decision}</div>
      <div>
        {children}
        <div className={classes.bar}>
          <Text>{summary}</Text>
          <Button onClick={() => form.current?.querySelector('textarea')?.focus()}>{t('form.go')}</Button>
        </div>
      </div>
    </>
  );
}

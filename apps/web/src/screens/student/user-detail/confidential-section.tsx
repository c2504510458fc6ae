import { Button, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import classes from './user-detail.module.css';

interface ConfidentialSectionProps {
  title: string;
  hint: string;
  showLabel: string;
  children: ReactNode;
}

/** Shown by a button, because each view is recorded in the audit. */
export function ConfidentialSection({ title, hint, showLabel, children }: ConfidentialSectionProps) {
  const heading = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={classes.notes} aria-labelledby={heading}>
      <Title order={2} size="h3" id={heading}>
        {title}
      </Title>
      <p className={classes.dimmed}>{hint}</p>
      {isOpen ? (
        children
      ) : (
        <Button mt="sm" variant="default" onClick={() => setIsOpen(true)}>
          {showLabel}
        </Button>
      )}
    </section>
  );
}

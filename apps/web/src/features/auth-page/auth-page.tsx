import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { LanguageChoice } from '../../components/language-choice';
import { AuthArtwork } from './auth-artwork';
import classes from './auth-page.module.css';

interface AuthPageProps {
  heading: string;
  lead: string;
  children: ReactNode;
  /** Below the form: the way to the other pages. */
  foot: ReactNode;
}

/** What all pages before the sign-in look like. */
export function AuthPage({ heading, lead, children, foot }: AuthPageProps) {
  return (
    <div className={classes.screen}>
      <AuthArtwork />
      <main className={classes.panel}>
        <div className={classes.language}>
          <LanguageChoice compact />
        </div>
        <div className={classes.heading}>
          <Title order={1}>{heading}</Title>
          <Text c="dimmed">{lead}</Text>
        </div>
        {children}
        <div className={classes.foot}>{foot}</div>
      </main>
    </div>
  );
}

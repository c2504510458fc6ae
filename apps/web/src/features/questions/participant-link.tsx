import type { ReactNode } from 'react';
import { PersonLink } from '../people/person-link';
import { useParticipation } from './participation';

interface ParticipantLinkProps {
  person: { readonly _id: string; readonly userName: string };
  className?: string | undefined;
  title?: string;
  children: ReactNode;
}

/** The name of somebody in a question: a way to their page for members, who alone may see it. */
export function ParticipantLink({ person, className, title, children }: ParticipantLinkProps) {
  const { kind, space } = useParticipation();
  if (kind !== 'member') {
    return (
      <span className={className} title={title}>
        {children}
      </span>
    );
  }
  return (
    <PersonLink person={person} space={space} className={className} {...(title !== undefined && { title })}>
      {children}
    </PersonLink>
  );
}

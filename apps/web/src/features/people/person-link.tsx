import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { useCurrentSpace } from '../../lib/auth-storage';
import classes from './person-link.module.css';

interface PersonLinkProps {
  person: { readonly _id: string; readonly userName: string };
  /** Space of the linked page. */
  space?: string | undefined;
  className?: string | undefined;
  title?: string;
  children: ReactNode;
}

/** Name linked to the person's page; plain text for a deleted person. */
export function PersonLink({ person, space, className = '', title, children }: PersonLinkProps) {
  const isCurrent = useCurrentSpace()?._id === space;
  if (person.userName === '') return <span className={className}>{children}</span>;
  const to = paths.userDetail(person._id, isCurrent ? undefined : space);
  return (
    <Link className={`${classes.link} ${className}`} title={title} to={to}>
      {children}
    </Link>
  );
}

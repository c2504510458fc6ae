import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { useAuthUser } from '../../lib/auth-storage';
import { continueInBrowser } from '../../lib/browser/device';
import { PersonLink } from './person-link';

/**
 * A member can act and a visitor is redirected to the login. A guest (signed in, not in this space) and a silent member (suspended, or
 * in an archived space) can only read.
 */
type ParticipationKind = 'member' | 'silent' | 'guest' | 'visitor';

interface Participation {
  kind: ParticipationKind;
  /** Neither acts nor is led to the login. */
  onlyReads: boolean;
  /** Space of the question. */
  space: string;
  studentId: string | undefined;
  /** Runs the action, or redirects to the login and back. */
  act: (action: () => void) => void;
}

const ParticipationContext = createContext<Participation | null>(null);

interface ParticipationProviderProps {
  isAuthorizedToInteract: boolean;
  space: { _id: string; joined: boolean };
  children: ReactNode;
}

/** Provides what the reader may do with a question. */
export function ParticipationProvider({
  isAuthorizedToInteract,
  space: { _id: space, joined },
  children,
}: ParticipationProviderProps) {
  const studentId = useAuthUser()?._id;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const participation = useMemo((): Participation => {
    const signedIn = isAuthorizedToInteract ? 'member' : joined ? 'silent' : 'guest';
    const kind = studentId === undefined ? 'visitor' : signedIn;
    const toLogin = () => {
      continueInBrowser();
      void navigate(paths.login, { state: { from: pathname } });
    };
    const act = (action: () => void) =>
      kind === 'member' ? action() : kind === 'visitor' ? toLogin() : undefined;
    return { kind, onlyReads: kind === 'silent' || kind === 'guest', space, studentId, act };
  }, [studentId, isAuthorizedToInteract, joined, space, navigate, pathname]);
  return <ParticipationContext.Provider value={participation}>{children}</ParticipationContext.Provider>;
}

export function useParticipation(): Participation {
  const participation = useContext(ParticipationContext);
  if (!participation) throw new Error('useParticipation needs a ParticipationProvider above it');
  return participation;
}

interface ParticipantLinkProps {
  person: { readonly _id: string; readonly userName: string };
  className?: string | undefined;
  title?: string;
  children: ReactNode;
}

/** Name of a person in a question, linked to their page for members, who may view it, silent or not. */
export function ParticipantLink({ person, className, title, children }: ParticipantLinkProps) {
  const { kind, space } = useParticipation();
  if (kind === 'guest' || kind === 'visitor') {
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

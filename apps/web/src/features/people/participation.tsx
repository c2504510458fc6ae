import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { useAuthUser } from '../../lib/auth-storage';
import { continueInBrowser } from '../../lib/browser/device';
import { PersonLink } from './person-link';

/** A member can act, a visitor is redirected to the login, and a reader (signed in, not in this space) can only read. */
type ParticipationKind = 'member' | 'visitor' | 'reader';

interface Participation {
  kind: ParticipationKind;
  /** Space of the question. */
  space: string;
  studentId: string | undefined;
  /** Runs the action, or redirects to the login and back. */
  act: (action: () => void) => void;
}

const ParticipationContext = createContext<Participation | null>(null);

interface ParticipationProviderProps {
  isAuthorizedToInteract: boolean;
  space: string;
  children: ReactNode;
}

/** Provides what the reader may do with a question. */
export function ParticipationProvider({
  isAuthorizedToInteract,
  space,
  children,
}: ParticipationProviderProps) {
  const studentId = useAuthUser()?._id;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const participation = useMemo((): Participation => {
    const kind = studentId === undefined ? 'visitor' : isAuthorizedToInteract ? 'member' : 'reader';
    const toLogin = () => {
      continueInBrowser();
      void navigate(paths.login, { state: { from: pathname } });
    };
    const act = (action: () => void) =>
      kind === 'member' ? action() : kind === 'visitor' ? toLogin() : undefined;
    return { kind, space, studentId, act };
  }, [studentId, isAuthorizedToInteract, space, navigate, pathname]);
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

/** Name of a person in a question, linked to their page for members, who may view it. */
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

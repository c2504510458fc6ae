import type { Decider } from '../decider.js';
import { unreachable } from '../errors.js';
import type { SpaceCreated, SpaceEvent, SubjectAdded } from '../events.js';
import { spaceStream } from '../stream-ids.js';

export type Subject = SubjectAdded['data'];
export type Space = SpaceCreated['data'] & { readonly subjects: readonly Subject[] };
export type SpaceState = Space | undefined;

export const spaceDecider: Decider<SpaceState, SpaceEvent, [spaceId: string]> = {
  stream: spaceStream,
  initial: undefined,
  evolve: (state, event) => {
    switch (event.type) {
      case 'SpaceCreated':
        return { ...event.data, subjects: [] };
      case 'SpaceChanged':
        return state && { ...state, ...event.data };
      case 'SpaceRemoved':
        return undefined;
      case 'SubjectAdded':
        return state && { ...state, subjects: [...state.subjects, event.data] };
      case 'SubjectChanged':
        return (
          state && {
            ...state,
            subjects: state.subjects.map((subject) =>
              subject.subjectId === event.data.subjectId ? event.data : subject,
            ),
          }
        );
      default:
        return unreachable(event);
    }
  },
};

export const findSubject = (state: SpaceState, subjectId: string): Subject | undefined =>
  state?.subjects.find((subject) => subject.subjectId === subjectId);

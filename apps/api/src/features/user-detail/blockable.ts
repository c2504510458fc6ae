import { isMaintainer } from '@nimo/domain';
import type { SpacePersonView } from '@nimo/projections';
import type { Viewer } from '../../platform/auth/viewer.js';

/** As the decision sees it: none blocks oneself, and a moderator no maintainer. */
export const isBlockableBy = (
  viewer: Viewer,
  person: Pick<SpacePersonView, '_id' | 'isMaintainer'>,
): boolean => person._id !== viewer.studentId && (!person.isMaintainer || isMaintainer(viewer));

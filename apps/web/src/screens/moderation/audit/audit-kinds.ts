import { classesOfKinds } from '../../../generated/audit-kinds';
import type { AuditClass, AuditKind } from '../../../generated/graphql';
import type { AuditView } from './audit-address';

export const auditKinds = Object.keys(classesOfKinds) as readonly AuditKind[];

export const classOfKind = (kind: AuditKind): AuditClass => classesOfKinds[kind];

/** Whether a view can hold lines of that class. */
export const isOfView = (view: AuditView, of: AuditClass): boolean =>
  view === 'acts' ? of === 'ACT' : view === 'reads' ? of === 'READ' : true;

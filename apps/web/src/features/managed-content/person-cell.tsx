import { PersonAvatar } from '../../components/person-avatar';
import type { ManagedStudentPartsFragment } from '../../generated/graphql';
import classes from './managed.module.css';

export function PersonCell({ student }: { student: ManagedStudentPartsFragment }) {
  const fullName = `${student.firstName} ${student.lastName}`.trim();
  return (
    <div className={classes.person}>
      <PersonAvatar person={student} size={36} />
      <span className={classes.names}>
        <strong>{student.userName}</strong>
        {fullName !== '' && <span className={classes.dimmed}>{fullName}</span>}
      </span>
    </div>
  );
}

/** Version 8 of a UUID, after its second hyphen. RFC 9562 (section 5.8) leaves its meaning to the application; other IDs have another version. */
const VERSION_8 = '-8';
const VERSION_AT = 13;

/**
 * Whether the account belongs to a program, such as the one under which an imported site posted its own announcements. Robots have no
 * score. The ID says so, and not an event of the account, because scores are computed from facts that only name the student.
 */
export const isRobot = (studentId: string): boolean => studentId.startsWith(VERSION_8, VERSION_AT);

/** The ID of a robot, derived from another UUID. */
export const robotId = (uuid: string): string =>
  `${uuid.slice(0, VERSION_AT)}${VERSION_8}${uuid.slice(VERSION_AT + VERSION_8.length)}`;

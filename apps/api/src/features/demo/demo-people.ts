import { v5 as uuidv5 } from 'uuid';

/** Of all ids that the demonstration fixes. */
export const DEMO_NAMESPACE = '3d7c2f0e-8a64-5b1d-9f2e-7b0c41d5e6a8';

/** Everybody of the demonstration, with phones of a range that nobody is given. */
export const DEMO_PEOPLE = [
  person('asha', 'Asha', 'Verma', 'people/coral', 'Physics and old bicycles. Class 11.'),
  person('ben', 'Ben', 'Okafor', 'people/indigo', 'I ask before I look it up. Sorry in advance.'),
  person('chloe', 'Chloé', 'Martin', 'people/pink', 'Exchange student from Lyon, biology club.'),
  person('daniel', 'Daniel', 'Kim', 'space/saturn', 'Writes Python when the homework is done, and before.'),
  person('elif', 'Elif', 'Yilmaz', 'animals/fox', 'History, debate team, too many books.'),
  person('farid', 'Farid', 'Rahimi', 'people/teal', 'Maths olympiad, round two. Ask me about parity.'),
  person('grace', 'Grace', 'Mensah', 'animals/panda', 'Chemistry lab volunteer on Thursdays.'),
  person('hugo', 'Hugo', 'Silva', 'animals/koala', 'Football first, geography second.'),
  person('ines', 'Inés', 'Romero', 'people/green', 'Poems, essays, and the school paper.'),
  person('jonas', 'Jonas', 'Weber', 'space/comet', 'Robotics team. Solders with care.'),
  person(
    'ms_rao',
    'Meera',
    'Rao',
    'people/violet',
    'Teaches mathematics and looks after Greenfield High here.',
  ),
  person('sam_admin', 'Sam', 'Patel', 'space/earth', 'Keeps Nimo running.'),
] as const;

export interface DemoPerson {
  readonly userName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly profileDesc: string;
  readonly realProfilePicUrl: string;
}

/** Fixed, so that the log-ins can be printed again; never made in production. */
export const DEMO_PASSWORD = 'learn-together';
export const DEMO_MODERATOR = 'ms_rao';
export const DEMO_MAINTAINER = 'sam_admin';

/** Always the same, so that they are known again wherever the data goes. */
export const demoStudentId = (userName: string): string => uuidv5(`student:${userName}`, DEMO_NAMESPACE);

function person(
  userName: string,
  firstName: string,
  lastName: string,
  avatar: string,
  profileDesc: string,
): DemoPerson {
  return { userName, firstName, lastName, profileDesc, realProfilePicUrl: `/avatars/${avatar}.svg` };
}

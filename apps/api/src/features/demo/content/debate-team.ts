import type { DemoSpace } from '../demo-thread.js';

/** Joined by request: what its members prepare is not for the other side. */
export const debateTeam: DemoSpace = {
  name: 'Debate Team',
  description: 'We prepare for the spring cup here. Tell us in a line which side you like to argue.',
  color: '9c36b5',
  entry: 'REQUEST',
  subjects: [{ subjectName: 'Motions', color: 'c2255c', topics: ['Opening', 'Rebuttal', 'Evidence'] }],
  members: ['elif', 'ines', 'farid', 'ms_rao', 'sam_admin'],
  requests: [
    { by: 'hugo', daysAgo: 2, text: 'I always argue the other side at home. Class 10.' },
    { by: 'grace', daysAgo: 1, text: 'Elif says you need somebody who finds sources.' },
  ],
  threads: [
    {
      by: 'ines',
      daysAgo: 6,
      subject: 'Motions',
      topic: 'Rebuttal',
      title: 'They will say that homework builds discipline. What do we answer?',
      body: '<p>The motion is “This house would abolish homework”. We are the proposition. Discipline is their strongest card, and I have only “it is stressful” against it.</p>',
      up: ['elif', 'farid'],
      savedBy: ['farid'],
      answers: [
        {
          by: 'elif',
          hoursLater: 4,
          isAccepted: true,
          body: '<p>Do not deny it, take it away from them: <strong>discipline is what you do when nobody checks</strong>. Homework is checked, so it trains obedience. Then ask them which of the two they meant.</p>',
          up: ['ines', 'farid', 'ms_rao'],
          comments: [{ by: 'ines', text: '@elif that is our whole second minute. Thank you!' }],
        },
      ],
    },
    {
      by: 'farid',
      daysAgo: 2,
      subject: 'Motions',
      topic: 'Evidence',
      title: 'How many numbers can one speech bear?',
      body: '<p>I have nine good ones. Last time nobody remembered a single one of them.</p>',
      up: ['ines'],
      answers: [],
    },
  ],
  news: [],
};

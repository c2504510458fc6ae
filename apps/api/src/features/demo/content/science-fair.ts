import type { DemoSpace } from '../demo-thread.js';

/** Joined by invitation. */
export const scienceFair: DemoSpace = {
  name: 'Science Fair Crew',
  description: 'Those who build the fair in May. Ask Ms. Rao for an invitation.',
  color: '0c8599',
  entry: 'INVITATION',
  subjects: [{ subjectName: 'The fair', color: '1971c2', topics: ['Stands', 'Power and safety', 'Judging'] }],
  members: ['grace', 'jonas', 'daniel', 'ms_rao', 'sam_admin'],
  threads: [
    {
      by: 'jonas',
      daysAgo: 8,
      subject: 'The fair',
      topic: 'Power and safety',
      title: 'How many stands can share one extension cable?',
      body: '<p>The gym has four sockets on the long side. I count eleven stands that want a laptop, and two with a soldering iron.</p>',
      up: ['grace', 'daniel'],
      answers: [
        {
          by: 'ms_rao',
          hoursLater: 6,
          isAccepted: true,
          body: '<p>Laptops are about 65 W each, so five on one 16 A socket are no worry. The soldering irons get a socket <em>of their own</em>, on the wall with the extinguisher. And never one extension in another.</p>',
          up: ['jonas', 'grace', 'daniel'],
          comments: [{ by: 'jonas', text: 'Drawn into the plan. Thank you!' }],
        },
      ],
    },
    {
      by: 'grace',
      daysAgo: 3,
      subject: 'The fair',
      topic: 'Judging',
      title: 'May judges give points for a project that did not work?',
      body: '<p>Chloé’s fermentation never started, and her logbook is the best of all. It would feel wrong to give her nothing.</p>',
      up: ['daniel', 'jonas', 'ms_rao'],
      answers: [],
    },
  ],
  news: [],
};

import { DEMO_MAINTAINER, DEMO_MODERATOR } from '../demo-accounts.js';
import type { DemoNews, DemoSpace } from '../demo-thread.js';
import { humanities } from './humanities.js';
import { mathematics } from './mathematics.js';
import { sciences } from './sciences.js';

const schoolNews: readonly DemoNews[] = [
  {
    by: DEMO_MODERATOR,
    title: 'Mock exams begin on the 4th',
    daysAgo: 2,
    body: `<p>The schedule is posted outside the library and is the same for all sections:</p>
<ul><li><strong>Monday</strong>: mathematics</li><li><strong>Tuesday</strong>: physics or history</li><li><strong>Thursday</strong>: chemistry or English</li></ul>
<p>Calculators are allowed in mathematics, phones are not. Ask here if anything is unclear: an answer on Nimo helps the forty others who are wondering the same thing.</p>`,
    likedBy: ['asha', 'ben', 'chloe', 'elif', 'grace'],
  },
  {
    by: DEMO_MODERATOR,
    title: 'Lab coats are back from the wash',
    daysAgo: 5,
    body: `<p>They are in the cupboard of room 12, sorted by size. Please hang yours up again after the lesson.</p>`,
    likedBy: ['grace', 'chloe'],
  },
  {
    by: DEMO_MODERATOR,
    title: 'How to ask a question that gets answered',
    daysAgo: 9,
    body: `<p>The questions that got a good answer within the hour last month had three things in common:</p>
<ol><li>a title that says what you want to know, not "Help!!"</li><li>what you have tried, even if it is wrong</li><li>the <em>whole</em> task, as text or as a readable photo</li></ol>
<p>And when an answer helped: accept it. That closes the question and thanks the person.</p>`,
    likedBy: ['asha', 'daniel', 'elif', 'farid', 'ines', 'jonas'],
  },
  {
    by: DEMO_MODERATOR,
    title: 'Poetry evening: three places left',
    daysAgo: 14,
    body: `<p>Read your own or somebody else's. Two minutes each, in the hall, tea included. Write to Inés or put your name on the list.</p>`,
    likedBy: ['ines', 'elif'],
  },
  {
    by: DEMO_MAINTAINER,
    title: 'What the medals mean',
    daysAgo: 20,
    body: `<p>Gold is what others make of your posts, silver is what you do for the space. Only gold can go down, and never below 1. The help on the leaderboard lists every point.</p>`,
    likedBy: ['farid', 'hugo'],
  },
  {
    by: DEMO_MAINTAINER,
    title: 'Welcome to Greenfield High on Nimo',
    daysAgo: 30,
    body: `<p>Every class from 9 to 12 has a place here now. Look for your subject, ask what you would ask your neighbour, and answer when you know.</p>`,
    likedBy: ['asha', 'ben', 'daniel', 'ms_rao'],
  },
];

export const clubNews: readonly DemoNews[] = [
  {
    by: DEMO_MAINTAINER,
    title: 'The new motors are here',
    daysAgo: 3,
    body: `<p>Twelve of them, with encoders this time. Jonas shows on Wednesday how to read one without missing ticks: <code>attachInterrupt()</code> is the word of the day.</p>`,
    likedBy: ['jonas', 'daniel', 'asha'],
  },
];

export const greenfieldHigh: DemoSpace = {
  name: 'Greenfield High',
  description: 'Questions and answers of classes 9 to 12. Ask early, answer kindly, accept what helped.',
  color: '2f7d5b',
  subjects: [
    {
      subjectName: 'Mathematics',
      color: '3b5bdb',
      topics: ['Algebra', 'Geometry', 'Calculus', 'Probability'],
    },
    { subjectName: 'Physics', color: 'e8590c', topics: ['Mechanics', 'Electricity', 'Optics'] },
    { subjectName: 'Chemistry', color: '0c8599', topics: ['Reactions', 'The periodic table', 'Lab work'] },
    { subjectName: 'Biology', color: '2b8a3e', topics: ['Cells', 'Genetics', 'Ecology'] },
    { subjectName: 'History', color: '9c36b5', topics: ['Industrial Revolution', 'Independence movements'] },
    { subjectName: 'English', color: 'c2255c', topics: ['Essays', 'Poetry', 'Grammar'] },
    { subjectName: 'School life', color: 'f08c00', topics: ['Exams', 'Clubs', 'Study habits'] },
  ],
  members: [
    'asha',
    'ben',
    'chloe',
    'daniel',
    'elif',
    'farid',
    'grace',
    'hugo',
    'ines',
    'jonas',
    'ms_rao',
    'sam_admin',
  ],
  threads: [...mathematics, ...sciences, ...humanities],
  news: schoolNews,
};

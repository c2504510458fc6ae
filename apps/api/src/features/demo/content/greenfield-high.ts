import type { DemoSpace } from '../demo-thread.js';
import { schoolNews } from './news.js';
import { humanities } from './humanities.js';
import { mathematics } from './mathematics.js';
import { sciences } from './sciences.js';

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

import type { DemoThread } from '../demo-thread.js';

export const humanities: readonly DemoThread[] = [
  {
    by: 'jonas',
    daysAgo: 33,
    subject: 'History',
    topic: 'Industrial Revolution',
    title: 'Why did it start in Britain and not somewhere else?',
    body: '<p>France had scientists, China had coal, the Netherlands had money. What did Britain have that they had not?</p>',
    up: ['elif', 'ines', 'asha'],
    savedBy: ['hugo'],
    answers: [
      {
        by: 'elif',
        hoursLater: 8,
        isAccepted: true,
        body: `<p>Nobody agrees on one reason, which is what makes it a good essay. The three that come up most:</p>
<ol><li><strong>Dear labour, cheap coal.</strong> Only where workers are expensive and fuel is not does a machine pay.</li>
<li><strong>Mines that filled with water.</strong> The first steam engines were bad, but next to a coal mine even a bad pump is worth it.</li>
<li><strong>Patents, banks and a parliament</strong> that let people keep what they earned with an idea.</li></ol>
<p>Pick two and let them argue with each other.</p>`,
        up: ['jonas', 'ines', 'chloe', 'hugo', 'ms_rao'],
        comments: [{ by: 'jonas', text: 'The flooded mines are my favourite. Thanks @elif!' }],
      },
    ],
  },
  {
    by: 'farid',
    daysAgo: 21,
    subject: 'History',
    topic: 'Independence movements',
    title: 'How did the Salt March work as a protest, when the salt hardly mattered?',
    body: '<p>The tax on salt was small. Why did that bring down more than a boycott of something expensive?</p>',
    up: ['elif', 'asha', 'ms_rao'],
    answers: [
      {
        by: 'elif',
        hoursLater: 5,
        isAccepted: true,
        body: '<p>Because <strong>everybody</strong> needs salt, rich or poor, of any faith, and everybody could break the law with a handful of sea water. It was also hard to arrest people for it without looking ridiculous, with reporters walking alongside for 24 days.</p>',
        up: ['farid', 'asha', 'ines', 'ms_rao'],
        comments: [{ by: 'asha', text: 'My great-grandmother kept a little jar of that salt.' }],
      },
    ],
  },
  {
    by: 'daniel',
    daysAgo: 25,
    subject: 'English',
    topic: 'Essays',
    title: 'How do I start an essay without “In this essay I will”?',
    body: '<p>I have rewritten the first sentence eleven times. The rest is done.</p>',
    up: ['ben', 'hugo', 'jonas', 'grace'],
    savedBy: ['ben', 'jonas', 'hugo'],
    answers: [
      {
        by: 'ines',
        hoursLater: 1,
        isAccepted: true,
        body: `<p>Write it <em>last</em>, and start with the thing that made you care:</p>
<ul><li>a fact that surprises: “A third of what we buy is thrown away.”</li><li>a small scene: “At half past seven the queue is already around the corner.”</li><li>the strongest case against you, so that you have something to answer.</li></ul>
<p>Then delete your first paragraph and look whether the second was the real beginning. It often is.</p>`,
        up: ['daniel', 'ben', 'grace', 'elif', 'jonas'],
        comments: [
          { by: 'daniel', text: 'The second paragraph WAS the beginning. How did you know, @ines?' },
          { by: 'ines', text: 'It always is. We clear our throat in the first one.' },
        ],
      },
    ],
  },
  {
    by: 'hugo',
    daysAgo: 13,
    subject: 'English',
    topic: 'Grammar',
    title: '“Fewer” or “less”? Does anybody still care?',
    body: '<p>The supermarket says “10 items or less” and my teacher says it is wrong. I shop there, so whom do I believe?</p>',
    up: ['ines', 'ben'],
    answers: [
      {
        by: 'elif',
        hoursLater: 2,
        body: '<p><strong>Fewer</strong> for what you count, <strong>less</strong> for what you measure: fewer bottles, less water. Examiners care, cashiers don’t.</p>',
        up: ['hugo', 'ines', 'chloe'],
        isAccepted: true,
      },
    ],
  },
  {
    by: 'grace',
    daysAgo: 6,
    subject: 'English',
    topic: 'Poetry',
    title: 'How do I read a poem out loud without sounding like a metronome?',
    body: '<p>da-DUM da-DUM da-DUM. The poetry evening is in two weeks.</p>',
    up: ['ines', 'elif', 'chloe'],
    savedBy: ['chloe'],
    answers: [
      {
        by: 'ines',
        hoursLater: 7,
        body: '<p>Read to the comma, not to the end of the line. Mark every place where you would breathe when <em>telling</em> it to a friend, and breathe only there. The rhythm stays audible by itself, you need not beat it.</p>',
        up: ['grace', 'elif', 'chloe', 'asha'],
      },
    ],
  },
  {
    by: 'ben',
    daysAgo: 11,
    subject: 'School life',
    topic: 'Study habits',
    title: 'Does listening to music while studying help or only feel good?',
    body: '<p>My mother says one thing, my headphones say another.</p>',
    up: ['hugo', 'jonas', 'daniel', 'grace', 'ines'],
    answers: [
      {
        by: 'daniel',
        hoursLater: 3,
        body: '<p>For me: <strong>without words</strong> when I read or write, anything goes when I calculate. Words in the ear fight with words on the page.</p>',
        up: ['ben', 'ines', 'grace', 'jonas'],
        comments: [{ by: 'hugo', text: 'Stadium sounds count as without words, right?' }],
      },
      {
        by: 'ms_rao',
        hoursLater: 14,
        isAccepted: true,
        body: '<p>Test it as you would in science: two similar chapters, one with music and one without, and a friend who quizzes you the next day. Feeling good and remembering are two different measurements.</p>',
        up: ['ben', 'asha', 'farid', 'chloe', 'elif'],
        comments: [
          { by: 'ben', text: '@ms_rao done. 7 of 10 with, 9 of 10 without. Do not tell my mother.' },
        ],
      },
    ],
  },
  {
    by: 'elif',
    daysAgo: 3,
    subject: 'School life',
    topic: 'Clubs',
    title: 'Who is in for a debate against the teachers before the holidays?',
    body: '<p>Motion: <em>“Homework should be optional.”</em> We need three speakers, one of them brave enough to speak <strong>against</strong> it.</p>',
    up: ['ines', 'asha', 'ben', 'hugo', 'jonas'],
    comments: [
      {
        by: 'ms_rao',
        text: 'The teachers accept. We want @farid on your side, it would be too easy otherwise.',
      },
    ],
    answers: [
      {
        by: 'ines',
        hoursLater: 4,
        body: '<p>I speak for it. I have waited eleven years for this motion.</p>',
        up: ['elif', 'ben', 'hugo'],
      },
      {
        by: 'farid',
        hoursLater: 22,
        body: '<p>I’ll be the brave one: against. Somebody has to defend the homework.</p>',
        up: ['elif', 'ms_rao', 'asha'],
      },
    ],
  },
  {
    by: 'chloe',
    daysAgo: 2,
    subject: 'School life',
    topic: 'Exams',
    title: 'How do you plan the last week before the exams?',
    body: '<p>Seven subjects, seven days, and I would like to sleep as well. One subject a day, or a little of each?</p>',
    up: ['grace', 'asha', 'daniel', 'ines'],
    savedBy: ['grace', 'asha'],
    answers: [
      {
        by: 'farid',
        hoursLater: 5,
        body: `<p>A little of each. What you meet three times in a week stays, what you meet once goes.</p>
<ol><li>Make a list of what you can't do <em>yet</em>, not of chapters.</li><li>Three blocks of 45 minutes a day, never the same subject twice.</li><li>The evening before: only sleep and a sharpened pencil.</li></ol>`,
        up: ['chloe', 'grace', 'asha', 'ben'],
        comments: [{ by: 'grace', text: 'Doing point 1 showed me that chemistry is fine and Latin is not.' }],
      },
    ],
  },
  {
    by: 'daniel',
    daysAgo: 0.3,
    subject: 'School life',
    topic: 'Clubs',
    title: 'Is there still room in the robotics team?',
    body: '<p>I can program, but I have never held a soldering iron the right way round.</p>',
    up: ['jonas'],
    answers: [],
  },
];

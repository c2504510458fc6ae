import type { DemoThread } from '../demo-thread.js';

export const sciences: readonly DemoThread[] = [
  {
    by: 'hugo',
    daysAgo: 40,
    subject: 'Physics',
    topic: 'Mechanics',
    title: 'Why does a curving free kick curve?',
    body: '<p>The ball leaves the foot, nobody touches it, and it still turns left. Newton said straight on!</p>',
    up: ['ben', 'asha', 'chloe', 'jonas', 'elif'],
    savedBy: ['ben'],
    answers: [
      {
        by: 'asha',
        hoursLater: 4,
        isAccepted: true,
        body: `<p>Something does touch it: the air. A spinning ball drags the air next to its skin around, so behind the ball the air leaves <strong>to one side</strong>. The ball pushes air to the right, the air pushes the ball to the left. It is called the Magnus effect.</p>
<p>Try it with a light plastic ball. A heavy one hardly curves, as the same push moves it less.</p>`,
        up: ['hugo', 'ben', 'jonas', 'chloe', 'elif'],
        comments: [{ by: 'hugo', text: '@asha so Newton was right, he just played with air. Accepted.' }],
      },
      {
        by: 'jonas',
        hoursLater: 26,
        body: '<p>And when you kick it without any spin it wobbles instead, because the air lets go of it now on this side, now on that. Goalkeepers hate that even more.</p>',
        up: ['hugo', 'asha'],
      },
    ],
  },
  {
    by: 'ines',
    daysAgo: 31,
    subject: 'Physics',
    topic: 'Electricity',
    title: 'Why are the birds on the power line all right?',
    body: '<p>A hundred thousand volts, and they just sit there. What would have to happen for it to be dangerous for them?</p>',
    up: ['hugo', 'chloe', 'grace', 'ben'],
    answers: [
      {
        by: 'jonas',
        hoursLater: 7,
        isAccepted: true,
        body: `<p>Current flows through you when there is a <strong>difference</strong> of voltage across you. Both feet are on the same wire, a few centimetres apart: the difference is a few millivolts.</p>
<p>It gets dangerous when the bird touches a second thing at another voltage: the next wire, or the pole. That is why big birds are at risk and small ones are not.</p>`,
        up: ['ines', 'asha', 'grace', 'hugo'],
        comments: [
          { by: 'chloe', text: 'Some poles have covers for storks exactly because of that.' },
          { by: 'ines', text: 'That goes into my article, @chloe. Do you have a picture?' },
        ],
      },
    ],
  },
  {
    by: 'ben',
    daysAgo: 15,
    subject: 'Physics',
    topic: 'Optics',
    title: 'Why does a mirror swap left and right but not up and down?',
    body: '<p>I lay on the floor to test it. It still swaps left and right, whatever that means when lying down.</p>',
    up: ['grace', 'elif', 'daniel'],
    savedBy: ['daniel', 'elif'],
    answers: [
      {
        by: 'elif',
        hoursLater: 3,
        body: '<p>Because our eyes are next to each other and not above each other?</p>',
        down: ['asha', 'jonas'],
        comments: [{ by: 'ben', text: 'I closed one eye. It is still swapped.' }],
      },
      {
        by: 'asha',
        hoursLater: 5,
        isAccepted: true,
        body: `<p>It swaps neither. It swaps <strong>front and back</strong>. Point at something: to the left stays to the left, up stays up, only towards the mirror becomes out of the mirror.</p>
<p>“Left and right” comes from us: we imagine walking around behind the glass to stand where the picture stands, and <em>that</em> turn swaps our hands.</p>`,
        up: ['ben', 'daniel', 'grace', 'farid', 'elif'],
      },
    ],
  },
  {
    by: 'grace',
    daysAgo: 36,
    subject: 'Chemistry',
    topic: 'Lab work',
    title: 'Acid into water or water into acid, and how do you remember it?',
    body: '<p>Practical exam on Thursday. I mix the two up every time, and that seems to be the one thing not to mix up.</p>',
    up: ['chloe', 'asha', 'ines'],
    savedBy: ['chloe', 'ines', 'ben'],
    answers: [
      {
        by: 'chloe',
        hoursLater: 2,
        isAccepted: true,
        body: `<p>Acid into water, slowly, while stirring. Mixing releases heat. A little acid in a lot of water warms the water; a little water on a lot of acid <strong>boils instantly and spits</strong>.</p>
<p>To remember: <em>A to W, in the order of the alphabet</em>. And wear the goggles.</p>`,
        up: ['grace', 'asha', 'ines', 'ben', 'ms_rao'],
        comments: [{ by: 'grace', text: 'Passed! Thank you @chloe, I said the alphabet under my breath.' }],
      },
    ],
  },
  {
    by: 'daniel',
    daysAgo: 22,
    subject: 'Chemistry',
    topic: 'The periodic table',
    title: 'Why does the periodic table have that gap at the top?',
    body: '<p>Hydrogen on one side, helium on the other and nothing in between. Did somebody lose the elements?</p>',
    up: ['grace', 'hugo'],
    answers: [
      {
        by: 'grace',
        hoursLater: 10,
        isAccepted: true,
        body: `<p>Nobody lost them, there is no room for them. A row is a shell of electrons:</p>
<ul><li>the first shell holds 2, so there are two elements in the row,</li><li>the second holds 8, so there are eight,</li><li>later ones hold 18 and 32, and the table gets as wide as it is.</li></ul>
<p>The gap is only there because we write elements with the same outer electrons below each other.</p>`,
        up: ['daniel', 'chloe', 'asha'],
      },
    ],
  },
  {
    by: 'elif',
    daysAgo: 10,
    subject: 'Chemistry',
    topic: 'Reactions',
    title: 'Is rust a kind of burning?',
    body: '<p>Our teacher said “slow combustion” and went on. My bicycle does not feel warm.</p>',
    up: ['asha', 'hugo'],
    answers: [
      {
        by: 'grace',
        hoursLater: 4,
        body: '<p>The same partners, iron and oxygen, and heat is set free as well. It takes years instead of seconds, so the warmth is gone before you could feel it. Hand warmers do nothing else: iron powder that rusts <strong>fast</strong>.</p>',
        up: ['elif', 'asha', 'jonas', 'hugo'],
        comments: [
          { by: 'asha', text: 'And steel wool really burns if you light it. Outside, with a teacher.' },
          { by: 'elif', text: '@asha we are doing that on Friday. I asked.' },
        ],
      },
      {
        by: 'hugo',
        hoursLater: 15,
        body: '<p>Put oil on the chain. Chemistry solved.</p>',
        up: ['elif', 'jonas'],
      },
    ],
  },
  {
    by: 'asha',
    daysAgo: 29,
    subject: 'Biology',
    topic: 'Cells',
    title: 'If every cell has the same DNA, how does an eye know that it is an eye?',
    body: '<p>Skin, liver, eye: the same book in every one of them. Who tells them which page to read?</p>',
    up: ['chloe', 'grace', 'elif', 'ines', 'farid'],
    savedBy: ['farid', 'ines'],
    answers: [
      {
        by: 'chloe',
        hoursLater: 9,
        isAccepted: true,
        body: `<p>The neighbours. Early in the embryo cells send each other signals, and how much of a signal arrives tells a cell <em>where</em> it is. That switches on a few genes whose only work is to switch other genes on or off.</p>
<p>What is not needed gets packed so tightly that it can't be read any more. When the cell divides, the daughters inherit the packing as well, so an eye cell’s daughters stay eye cells.</p>`,
        up: ['asha', 'grace', 'elif', 'farid', 'ines', 'ms_rao'],
        comments: [{ by: 'farid', text: 'So the book comes with glued pages. Nice.' }],
      },
    ],
  },
  {
    by: 'chloe',
    daysAgo: 17,
    subject: 'Biology',
    topic: 'Genetics',
    title: 'Can two brown-eyed parents have a blue-eyed child?',
    body: '<p>In the Punnett square it works out, but I read that eye colour is “not that simple”. How much of the square may I believe?</p>',
    up: ['grace', 'hugo', 'ben'],
    answers: [
      {
        by: 'grace',
        hoursLater: 6,
        isAccepted: true,
        body: `<p>Yes, they can, and for the exam the square is enough:</p>
<ul><li>both parents <code>Bb</code>: one child in four is <code>bb</code>, blue.</li></ul>
<p>In real life several genes have a say, so there are green and grey eyes too. Believe the square about <strong>one</strong> gene, not about a whole person.</p>`,
        up: ['chloe', 'ben', 'asha'],
      },
    ],
  },
  {
    by: 'ines',
    daysAgo: 5,
    subject: 'Biology',
    topic: 'Ecology',
    title: 'Would the schoolyard be better off without wasps?',
    body: '<p>For the paper, I need somebody to defend the wasps. Anyone?</p>',
    up: ['elif', 'chloe', 'hugo', 'grace'],
    answers: [
      {
        by: 'chloe',
        hoursLater: 11,
        body: `<p>Gladly. One nest eats some <strong>kilograms of flies and caterpillars</strong> in a summer, wasps pollinate what bees leave out, and a whole orchid depends on them. They come to our tables only in late summer, when there are no larvae left that feed them sugar.</p>
<p>Cover the lemonade, keep the wasps.</p>`,
        up: ['ines', 'elif', 'grace', 'asha'],
        comments: [{ by: 'ines', text: 'May I quote the last line, @chloe?' }],
      },
      {
        by: 'ben',
        hoursLater: 13,
        body: '<p>I was stung on Monday, so I am not neutral. Yes, better without.</p>',
        up: ['hugo'],
        down: ['chloe'],
      },
    ],
  },
];

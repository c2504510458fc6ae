import type { DemoThread } from '../demo-thread.js';

export const mathematics: readonly DemoThread[] = [
  {
    by: 'ben',
    daysAgo: 34,
    subject: 'Mathematics',
    topic: 'Algebra',
    title: 'Why do I have to flip the inequality when I multiply by a negative number?',
    body: '<p>I know the rule, I just don’t see <em>why</em>. If −2x &lt; 6 then x &gt; −3. Who turned the sign around?</p>',
    up: ['asha', 'chloe', 'hugo', 'ines'],
    savedBy: ['hugo', 'chloe'],
    answers: [
      {
        by: 'farid',
        hoursLater: 2,
        isAccepted: true,
        body: `<p>Look at the number line. Multiplying by −1 is a <strong>mirror</strong> at zero, and a mirror swaps left and right:</p>
<ul><li>2 is left of 5, so 2 &lt; 5,</li><li>−2 is right of −5, so −2 &gt; −5.</li></ul>
<p>Multiplying by −2 is the mirror and then a stretch. The stretch keeps the order, the mirror turns it around.</p>`,
        up: ['ben', 'asha', 'chloe', 'ines', 'hugo', 'ms_rao'],
        comments: [
          { by: 'ms_rao', text: 'I will use the mirror in class, @farid. With credit.' },
          { by: 'ben', text: 'A mirror! Why does no book say that.' },
        ],
      },
      {
        by: 'asha',
        hoursLater: 20,
        body: '<p>Without a picture: add 2x to both sides and take 6 away. −2x &lt; 6 becomes −6 &lt; 2x, so −3 &lt; x. Nothing was flipped; the sides changed places.</p>',
        up: ['ben', 'farid', 'grace'],
      },
    ],
  },
  {
    by: 'hugo',
    daysAgo: 27,
    subject: 'Mathematics',
    topic: 'Probability',
    title: 'Two children, one is a girl: is the other one a girl with probability 1/2 or 1/3?',
    body: '<p>We argued the whole break. I say 1/2, because the other child does not care. Elif says 1/3. Who buys the lemonade?</p>',
    up: ['elif', 'farid', 'daniel', 'grace', 'jonas'],
    savedBy: ['elif', 'daniel'],
    comments: [{ by: 'elif', text: 'For the record: I want the cold one, @hugo.' }],
    answers: [
      {
        by: 'farid',
        hoursLater: 6,
        isAccepted: true,
        body: `<p>It depends on how you <em>learned</em> it.</p>
<ol><li>“At least one of the two is a girl.” Left are GG, GB and BG, all equally likely: <strong>1/3</strong>.</li>
<li>“The elder one is a girl.” Left are GG and GB: <strong>1/2</strong>.</li></ol>
<p>The question as you wrote it is the first one. Elif gets the lemonade.</p>`,
        up: ['elif', 'daniel', 'asha', 'grace', 'ms_rao'],
        comments: [
          { by: 'hugo', text: 'Fine. But I met the elder one first, in my head.' },
          { by: 'daniel', text: 'I simulated it with 100,000 families: 0.3331 and 0.5007.' },
        ],
      },
      {
        by: 'ben',
        hoursLater: 9,
        body: '<p>1/2, coins have no memory.</p>',
        up: ['hugo'],
        down: ['farid', 'elif'],
        comments: [
          { by: 'grace', text: 'They have none, but you told us something about both of them at once.' },
        ],
      },
    ],
  },
  {
    by: 'chloe',
    daysAgo: 19,
    subject: 'Mathematics',
    topic: 'Calculus',
    title: 'What does a derivative mean when the function is not about speed?',
    body: '<p>Every example is a car. What does f′(x) tell me when f is, for example, the cost of printing x copies of the school paper?</p>',
    up: ['ines', 'asha', 'ben'],
    savedBy: ['ines'],
    answers: [
      {
        by: 'ms_rao',
        hoursLater: 12,
        isAccepted: true,
        body: `<p>It answers “how much more, for a little more?”. If the cost is <code>f(x)</code>, then <code>f′(500)</code> is about what the <strong>501st copy</strong> costs.</p>
<p>That is not the average cost. The first copy pays for setting up the machine, the 501st only for paper:</p>
<ul><li>average: f(500) / 500 = 1.20 each,</li><li>the next one: f′(500) = 0.35.</li></ul>
<p>Whenever you see a derivative, read it as a price: units of f for one unit of x.</p>`,
        up: ['chloe', 'ines', 'farid', 'asha', 'ben'],
        comments: [
          { by: 'ines', text: 'So we should print more copies. I will show this to the editor, @chloe.' },
        ],
      },
    ],
  },
  {
    by: 'grace',
    daysAgo: 8,
    subject: 'Mathematics',
    topic: 'Geometry',
    title: 'Is a square a rectangle, or is that only a trick question?',
    body: '<p>The worksheet says “mark all rectangles” and the square was marked wrong when I left it out.</p>',
    up: ['hugo', 'ben'],
    answers: [
      {
        by: 'farid',
        hoursLater: 1,
        body: '<p>A rectangle has four right angles. That is all it promises. A square keeps the promise and makes another one (equal sides), so every square is a rectangle, as every cat is an animal.</p>',
        up: ['grace', 'hugo', 'elif'],
      },
    ],
  },
  {
    by: 'jonas',
    daysAgo: 1,
    subject: 'Mathematics',
    topic: 'Algebra',
    title: 'Where is the mistake in this proof that 1 = 2?',
    body: `<ol><li>Let a = b.</li><li>Then a² = ab.</li><li>a² − b² = ab − b²</li><li>(a + b)(a − b) = b(a − b)</li><li>a + b = b, so 2b = b, so 2 = 1.</li></ol><p>Each step looks fine to me.</p>`,
    up: ['ben', 'daniel', 'ines'],
    answers: [],
    comments: [{ by: 'asha', text: 'Hint: what is a − b in step 4?' }],
  },
];

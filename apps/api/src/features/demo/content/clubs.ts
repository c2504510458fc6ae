import type { DemoSpace } from '../demo-thread.js';
import { clubNews } from './greenfield-high.js';

export const codeClub: DemoSpace = {
  name: 'Code Club',
  description: 'Wednesdays in room 214, and here all week: programs, robots and how they fail.',
  color: '5f3dc4',
  subjects: [
    { subjectName: 'Programming', color: '1971c2', topics: ['Python', 'JavaScript', 'Algorithms'] },
    { subjectName: 'Robotics', color: 'd9480f', topics: ['Sensors', 'Motors'] },
  ],
  members: ['asha', 'ben', 'daniel', 'farid', 'jonas', 'ms_rao', 'sam_admin'],
  threads: [
    {
      by: 'ben',
      daysAgo: 23,
      subject: 'Programming',
      topic: 'Python',
      title: 'Why does my list change when I change its copy?',
      body: `<p>I wanted to keep the old board of my tic-tac-toe game to undo a move:</p>
<pre><code class="language-python">old = board
board[0][0] = "X"
print(old[0][0])  # prints X, I expected " "</code></pre>
<p>Is <code>=</code> not a copy? And why does <code>board.copy()</code> not help either?</p>`,
      up: ['asha', 'farid', 'jonas'],
      savedBy: ['asha'],
      answers: [
        {
          by: 'daniel',
          hoursLater: 3,
          isAccepted: true,
          body: `<p><code>old = board</code> makes a second <em>name</em> for the same list. <code>board.copy()</code> makes a new outer list, but its rows are still the same row objects.</p>
<p>Copy the rows as well:</p>
<pre><code class="language-python">old = [row[:] for row in board]
# or, for any nesting:
import copy
old = copy.deepcopy(board)</code></pre>
<p>For an undo it is often nicer to remember the <strong>move</strong> instead of the board: <code>moves.append((0, 0, " "))</code>.</p>`,
          up: ['ben', 'asha', 'jonas', 'farid'],
          comments: [
            { by: 'ben', text: '@daniel remembering the move made my undo three lines long. Thank you!' },
            { by: 'asha', text: 'The picture of "two names, one list" finally made it click.' },
          ],
        },
      ],
    },
    {
      by: 'asha',
      daysAgo: 12,
      subject: 'Programming',
      topic: 'Algorithms',
      title: 'How do I find the shortest way through the maze without trying all of them?',
      body: `<p>My maze is a grid of <code>#</code> and dots. Trying every way works for 6 × 6, and for 20 × 20 it never ends. What is the usual way?</p>`,
      up: ['ben', 'daniel', 'farid'],
      savedBy: ['ben', 'jonas'],
      answers: [
        {
          by: 'farid',
          hoursLater: 5,
          isAccepted: true,
          body: `<p>Breadth-first search. Visit everything one step away, then everything two steps away, and so on. The first time you reach the exit you used as few steps as possible.</p>
<pre><code class="language-python">from collections import deque

def shortest(maze, start, goal):
    queue, seen = deque([(start, 0)]), {start}
    while queue:
        (row, col), steps = queue.popleft()
        if (row, col) == goal:
            return steps
        for next_cell in ((row+1, col), (row-1, col), (row, col+1), (row, col-1)):
            r, c = next_cell
            if maze[r][c] != "#" and next_cell not in seen:
                seen.add(next_cell)
                queue.append((next_cell, steps + 1))</code></pre>
<p>Every cell is looked at once, so 20 × 20 is 400 cells, not millions of ways. (It assumes a wall all around the maze.)</p>`,
          up: ['asha', 'ben', 'daniel', 'jonas'],
          comments: [
            {
              by: 'daniel',
              text: 'The "seen" set is the whole trick. Without it we are back at trying everything.',
            },
          ],
        },
        {
          by: 'ben',
          hoursLater: 30,
          body: '<p>I always keep my hand on the right wall. It gets you out of simple mazes, but it is hardly the <em>shortest</em> way.</p>',
          up: ['jonas'],
          down: ['farid'],
        },
      ],
    },
    {
      by: 'jonas',
      daysAgo: 4,
      subject: 'Robotics',
      topic: 'Sensors',
      title: 'Our ultrasonic sensor sees a wall that is not there',
      body: `<p>Every now and then the distance jumps from 80 cm to 3 cm for one reading, and the robot stops. Things we tried:</p>
<ul><li>another sensor: the same,</li><li>shorter wires: a little better,</li><li>shouting at it: no change.</li></ul>
<p>Is there a better way than ignoring everything under 5 cm?</p>`,
      up: ['asha', 'daniel'],
      answers: [
        {
          by: 'daniel',
          hoursLater: 8,
          body: `<p>Take the <strong>median of the last five readings</strong>. One wild value can't be the middle one of five, and you react only two readings later.</p>
<pre><code class="language-python">from statistics import median
recent = (recent + [read_distance()])[-5:]
distance = median(recent)</code></pre>`,
          up: ['jonas', 'asha', 'ms_rao'],
          comments: [
            { by: 'jonas', text: 'Works on the bench, @daniel. I accept it when it survived a whole lap.' },
          ],
        },
      ],
    },
  ],
  news: clubNews,
};

/** Joined by request: what its members prepare is not for the other side. */
export const debateTeam: DemoSpace = {
  name: 'Debate Team',
  description: 'We prepare for the spring cup here. Tell us in one line which side you like to argue.',
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

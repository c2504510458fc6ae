import type { NimoApi, Student } from '../support/api.js';
import { renderSvg } from '../support/pictures.js';

export interface Scene {
  readonly asker: Student;
  readonly helper: Student;
  readonly questionId: string;
}

const BODY = `<p>We hung weights on a spring and wrote down how far it stretched:</p>
<ul><li>100 g: 4.1 cm</li><li>200 g: 8.0 cm</li><li>300 g: 12.3 cm</li><li>400 g: <strong>19.5 cm</strong></li></ul>
<p>The first three fit <em>F = kx</em>, the last one does not. Did we break the spring, or is the law only true up to some point?</p>`;

const ANSWER = `<p>The law holds up to the <strong>limit of proportionality</strong>. Beyond it the wire of the spring itself deforms, so the same force stretches it further.</p>
<blockquote><p>Take the 400 g off and measure: if it is longer than before, it stays that way.</p></blockquote>`;

/** A chart of a spring with this number of weights, the last one an outlier. */
function measurements(weights: number): string {
  const points = Array.from({ length: weights }, (_, index) => {
    const isLast = index === weights - 1;
    const [x, y] = [160 + (index * 640) / weights, 540 - ((index + 1) * 320) / weights - (isLast ? 110 : 0)];
    return `<circle cx="${x}" cy="${y}" r="13" fill="${isLast ? '#c02626' : '#4460d3'}"/>`;
  });
  const lines = [120, 225, 330, 435].map(
    (y) => `<path d="M100 ${y}H860" stroke="#d9dee8" stroke-width="2"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="640"><rect width="960" height="640" fill="#fbfbf6"/>
    ${lines.join('')}<path d="M100 70V540H890" fill="none" stroke="#1a2033" stroke-width="4"/>
    <path d="M100 540L${160 + ((weights - 1) * 640) / weights} 220" stroke="#9db2f5" stroke-width="4" stroke-dasharray="14 10"/>
    ${points.join('')}</svg>`;
}

let scene: Promise<Scene> | undefined;

/** People and a question with everything its page can show, shared by all pictures. */
export function sceneOf(api: NimoApi): Promise<Scene> {
  scene ??= newScene(api);
  return scene;
}

async function newScene(api: NimoApi): Promise<Scene> {
  const [asker, helper, third] = await Promise.all([
    api.newStudent({
      userName: 'mira',
      firstName: 'Mira',
      lastName: 'Sen',
      about: 'Year 10. Physics, chess and too much tea.',
      picture: '/avatars/animals/fox.svg',
    }),
    api.newStudent({
      userName: 'tomas',
      firstName: 'Tomas',
      lastName: 'Novak',
      picture: '/avatars/animals/bear.svg',
    }),
    api.newStudent({
      userName: 'lena',
      firstName: 'Lena',
      lastName: 'Okafor',
      picture: '/avatars/animals/cat.svg',
    }),
  ]);
  const imageUrls = await Promise.all(
    [4, 3, 5, 2, 6].map(async (weights) => api.upload(asker, await renderSvg(measurements(weights)))),
  );
  const questionId = await api.ask(asker, 'Why does our spring stop following Hooke’s law at 400 g?', {
    body: BODY,
    imageUrls,
    topicName: 'Mechanics',
  });
  const answerId = await api.answer(helper, questionId, ANSWER);
  await api.answer(third, questionId, '<p>Ours did the same at 350 g. Use the thicker spring.</p>');
  await api.comment(third, questionId, `Which spring was it, @[${asker._id}]?`);
  await api.comment(asker, questionId, 'The thin one from the second drawer.');
  await api.upvote(helper, questionId);
  await api.upvote(third, questionId);
  await api.accept(asker, questionId, answerId);
  await api.save(asker, questionId);
  return { asker, helper, questionId };
}

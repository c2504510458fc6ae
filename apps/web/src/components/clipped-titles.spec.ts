import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const source = join(import.meta.dirname, '..');

/** Declarations of a class in the style sheet, without nested rules. */
function declarationsOf(file: string, selector: string): string {
  const text = readFileSync(join(source, file), 'utf8');
  const start = text.indexOf(`\n${selector} {`);
  if (start < 0) throw new Error(`${file} has no ${selector}`);
  return /\{[^{}]*/.exec(text.slice(start))?.[0] ?? '';
}

// No DOM without a layout shows either. A letter may carry any number of marks, which paint far above and below their line.
describe('a truncated inline formula', () => {
  it.each([
    ['features/notifications/notification-item.tsx', 'excerpt'],
    ['features/questions/question-card.tsx', 'preview'],
    ['screens/student/dashboard/unsolved-questions.tsx', 'title'],
    ['screens/student/score-explanation/day-section.tsx', 'title'],
  ])('is clipped at the line: %s %s', (file, name) => {
    const text = readFileSync(join(source, file), 'utf8');
    expect(text).toContain(`className={\`\${cut.line} \${classes.${name}}\`}`);
    expect(declarationsOf('components/rich-text/cut-line.module.css', '.line')).toContain(
      '-webkit-line-clamp: 1',
    );
  });
});

describe('stacked combining marks', () => {
  it.each([
    ['features/questions/question-card.module.css', '.title'],
    ['features/questions/question-article.module.css', '.title'],
    ['screens/student/dashboard/unsolved-questions.module.css', '.title'],
    ['features/questions/similar-questions.module.css', '.link'],
    ['screens/student/single-question/question-side.module.css', '.title'],
    ['screens/student/search/hit-list.module.css', '.name'],
    ['screens/student/profile/profile-screen.module.css', '.title'],
    ['screens/student/user-detail/user-detail.module.css', '.postTitle'],
    ['screens/moderation/reported-posts/moderation.module.css', '.itemTitle'],
    ['screens/moderation/reported-posts/moderation.module.css', '.title'],
    ['screens/student/news/news.module.css', '.title'],
    ['app/served-page.css', '.served-page h1'],
  ])('are clipped to titles: %s %s', (file, selector) => {
    expect(declarationsOf(file, selector)).toMatch(/overflow: (?:clip|hidden);/);
  });
});

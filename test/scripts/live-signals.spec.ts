import { describe, expect, it } from '@jest/globals';
import { ESLint, Linter } from 'eslint';

const RULES = ['no-restricted-imports', 'no-restricted-syntax'];

/** What the two rules that keep bare subscriptions out say to a file of the web app. */
async function refusals(file: string, code: string): Promise<number> {
  const { rules = {} } = (await new ESLint().calculateConfigForFile(file)) as Linter.Config;
  const chosen = Object.fromEntries(Object.entries(rules).filter(([name]) => RULES.includes(name)));
  return new Linter().verify(code, [{ rules: chosen }]).length;
}

describe('a live signal', () => {
  it.each([
    "import { useSubscription } from '@apollo/client/react';",
    "import * as apollo from '@apollo/client/react';",
    'client.subscribe({});',
  ])('is not listened to by %s', async (code) => {
    expect(await refusals('apps/web/src/features/voting/use-vote.ts', code)).toBe(1);
    expect(await refusals('apps/web/src/screens/news/news-screen.tsx', code)).toBe(1);
  });

  it('is listened to in one place', async () => {
    const code = "import { useSubscription } from '@apollo/client/react';";
    expect(await refusals('apps/web/src/lib/live.ts', code)).toBe(0);
  });
});

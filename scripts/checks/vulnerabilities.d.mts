/** What `npm audit --json` printed, judged. */
export function judge(answer: string): {
  readonly kind: 'fine' | 'unanswered' | 'grave';
  readonly text: string;
};

import { PlainExtension, type CreateExtensionPlugin } from '@remirror/core';
import { closeHistory } from '@remirror/pm/history';
import { ReplaceStep } from '@remirror/pm/transform';
import type { Transaction } from '@remirror/pm/state';

function putsMention({ steps }: Transaction): boolean {
  let isFound = false;
  for (const step of steps)
    if (step instanceof ReplaceStep)
      step.slice.content.descendants(({ type }) => {
        isFound ||= type.name === 'mentionAtom';
      });
  return isFound;
}

/** Letters that follow a mention are a step of undo of their own, however soon they come. */
export class MentionStep extends PlainExtension {
  get name() {
    return 'nimoMentionStep' as const;
  }
  override createPlugin(): CreateExtensionPlugin {
    return {
      appendTransaction: (transactions, _, { tr }) =>
        transactions.some(putsMention) ? closeHistory(tr) : null,
    };
  }
}

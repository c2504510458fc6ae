import { z } from 'zod';

/** Argument of a program that loads what it needs and begins when its parent says so. */
export const WHEN_TOLD = 'when-told';

const begin = z.object({ begin: z.object({ port: z.number() }) });

export type Begin = z.infer<typeof begin>;

/** At once, unless the program was started to wait; then on the port that it is told. A parent that ends takes the wait, and with it the process, to its end. */
export async function toldToBegin(): Promise<void> {
  if (process.argv[2] !== WHEN_TOLD || process.send === undefined) return;
  await new Promise<void>((resolve) => {
    const onMessage = (message: unknown): void => {
      const told = begin.safeParse(message);
      if (!told.success) return;
      process.env['PORT'] = String(told.data.begin.port);
      process.off('message', onMessage);
      resolve();
    };
    process.on('message', onMessage);
  });
}

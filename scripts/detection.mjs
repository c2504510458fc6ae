// npm run detection: plants fraud and honest crowds in simulated communities and prints what the vote patterns find (docs/moderation.md).
import './typescript.mjs';
import process from 'node:process';

const { detectionTable } = await import('../bench/detection/table.ts');
process.stdout.write(detectionTable((line) => process.stderr.write(`${line}\n`)));

import '../../../../../../scripts/typescript.mjs';

const { runLauncher } = await import('../run-launcher.ts');
runLauncher(import.meta.dirname);

// Type-checks the server and the web client side by side, by the native compiler: it needs a tenth of the time. The other TypeScript is for
// the linter and the build, which need its programming interface.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

const projects = ['tsconfig.json', 'apps/web/tsconfig.json'];
const codes = await Promise.all(
  projects.map(async (project) => {
    const compiler = spawn(
      process.execPath,
      [
        'node_modules/typescript-native/bin/tsc',
        '--noEmit',
        // What has not changed since the last check is not checked again.
        '--incremental',
        '--tsBuildInfoFile',
        `node_modules/.cache/types/${project.replaceAll('/', '-')}.tsbuildinfo`,
        '-p',
        project,
      ],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    const [code] = await once(compiler, 'close');
    return code;
  }),
);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

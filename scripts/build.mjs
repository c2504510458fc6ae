// npm run build: everything that npm start would build, without starting it.
import { buildIfChanged } from './prepare.mjs';

buildIfChanged();

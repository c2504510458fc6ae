import { runLauncher } from '../platform/launcher/run-launcher.js';

runLauncher(import.meta.dirname);

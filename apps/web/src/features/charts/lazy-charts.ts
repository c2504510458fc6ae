import { lazyPart } from '../../lib/browser/loading';

const charts = () => import('./charts');

/** Loads the chart library with the first chart. */
export const Bars = lazyPart(async () => ({ default: (await charts()).Bars }));
export const StackedAreas = lazyPart(async () => ({ default: (await charts()).StackedAreas }));

import { lazy } from 'react';

const charts = () => import('./charts');

/** The library of charts comes with the first chart. */
export const Bars = lazy(async () => ({ default: (await charts()).Bars }));
export const StackedAreas = lazy(async () => ({ default: (await charts()).StackedAreas }));

import type { Budget } from './rate-limiter.js';

/** What is left to the caller of the limits that a request was counted against, by the request's context. */
const budgets = new WeakMap<object, Map<string, Budget>>();

/** @param budget undefined where nothing was counted here */
export function noteBudget(request: object, budget: Budget | undefined): void {
  if (!budget) return;
  const noted = budgets.get(request) ?? new Map<string, Budget>();
  budgets.set(request, noted.set(budget.name, budget));
}

export const budgetsOf = (request: object): readonly Budget[] => [...(budgets.get(request)?.values() ?? [])];

/** What differs from what the form showed, and what it showed there: two who change different things do not meet. */
export function changedFields<Values extends object>(values: Values, shown: Values) {
  const keys = (Object.keys(values) as (keyof Values)[]).filter((key) => values[key] !== shown[key]);
  const pick = (from: Values) => Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<Values>;
  return { change: pick(values), seen: pick(shown) };
}

/** Pairs the values of two maps, in the order of their keys. */
export const pairs = <T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): [key: string, before: T | undefined, after: T | undefined][] =>
  [...new Set([...before.keys(), ...after.keys()])].sort().map(key => [key, before.get(key), after.get(key)])

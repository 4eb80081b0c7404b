/** Functions that the tests of the worker pool run in threads. */

export const double = (value: number): number => value * 2

export function spin(milliseconds: number): string {
  const end = Date.now() + milliseconds
  while (Date.now() < end);
  return 'done'
}

/** Uses no CPU time, like a thread that waits for a busy processor. */
export function wait(milliseconds: number): string {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  return 'done'
}

export function recurse(depth: number): number {
  return depth === 0 ? 0 : 1 + recurse(depth - 1)
}

/** @param mebibytes of memory that stays in use. */
export function allocate(mebibytes: number): number {
  const kept: number[][] = []
  for (let n = 0; n < mebibytes; n++) kept.push(Array.from({ length: 131_072 }, (_, index) => index + 0.5))
  return kept.length
}

export function fail(): never {
  throw new Error('a task failed')
}

export const environment = (): string[] => Object.keys(process.env)

/** Compares how long two kinds of requests take. */
import { createRandom } from '../reliability/fixtures.ts'

/** Sends the n-th request of a kind. */
export type Timed = (n: number) => Promise<unknown>

/**
 * The probability that a response of one kind takes longer than one of the other, at least 0.5 (the area under the ROC
 * curve of the best threshold in either direction). The kinds alternate in random order, so that the load of the machine
 * affects both.
 */
export async function distinguishability(tries: number, one: Timed, other: Timed): Promise<number> {
  const random = createRandom(tries)
  const times: { readonly isOther: boolean; readonly ms: number }[] = []
  const measure = async (isOther: boolean, n: number) => {
    const started = performance.now()
    await (isOther ? other : one)(n)
    times.push({ isOther, ms: performance.now() - started })
  }
  for (let n = 0; n < tries; n++) {
    const isOtherFirst = random.below(2) === 0
    await measure(isOtherFirst, n)
    await measure(!isOtherFirst, n)
  }
  return areaUnderCurve(times)
}

/** Mann-Whitney U over the number of pairs. Equal times count as half. */
function areaUnderCurve(times: readonly { readonly isOther: boolean; readonly ms: number }[]): number {
  const sorted = times.toSorted((a, b) => a.ms - b.ms)
  let [others, wins] = [0, 0]
  for (let start = 0; start < sorted.length; ) {
    let end = start
    while (end < sorted.length && sorted[end]?.ms === sorted[start]?.ms) end++
    const tied = sorted.slice(start, end)
    const tiedOthers = tied.filter(({ isOther }) => isOther).length
    wins += (tied.length - tiedOthers) * (others + tiedOthers / 2)
    others += tiedOthers
    start = end
  }
  const area = wins / (others * (sorted.length - others))
  return Math.max(area, 1 - area)
}

/** Counts the clicks that a job takes. Filling a field is no click. */
import type { Locator } from 'playwright-core'

/** @param before clicks outside of the browser, such as on a link in an email. */
export function createClicks(before = 0) {
  let count = before
  return {
    click(target: Locator): Promise<void> {
      count++
      return target.click()
    },
    count: () => count,
  }
}

/** Accessibility checks with axe-core. */
import axe, { type Result, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** `npm run test:matrix` checks each screen in every width and theme; the other tests check it once. */
export const IS_MATRIX = process.env.LARDER_TESTS === 'matrix'

/** Dark mode differs only in its colors. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'] as const

/**
 * Violations of the page, without its frames. The script stays in the page, and reports no passes: both cost more time
 * than the checks. @param rules all by default.
 */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<Result[]> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axe.source)
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
  }
  return page.evaluate<Result[]>(
    `axe.run({ exclude: [['iframe']] }, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
}

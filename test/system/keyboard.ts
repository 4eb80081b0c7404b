/** A person who uses the keyboard alone. */
import type { Page } from 'playwright-core'

const MAX_TABS = 80
/** The label of the focused element, or its text, without what is hidden from screen readers. Empty without one. */
const FOCUSED = `(element => {
  if (element === document.body) return ''
  const named = (element.labels?.[0] ?? element).cloneNode(true)
  for (const hidden of named.querySelectorAll('[aria-hidden=true]')) hidden.remove()
  return (element.getAttribute('aria-label') ?? named.textContent).trim()
})(document.activeElement)`

export const focused = (page: Page): Promise<string> => page.evaluate(FOCUSED)

/** Moves the focus with the Tab key from where it is. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    if ((await focused(page)) === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key never reaches "${name}"`)
}

export async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** Replaces the values of fields, and submits their form. */
export async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await tabTo(page, label)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(value)
  }
  await page.keyboard.press('Enter')
}

/**
 * What the Tab key leaves out, and where the focus can't be seen: without an outline, outside of the window, or below
 * something else. `walk.next()` describes the focused element.
 */
const WALK = `(() => {
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter(
    element => !element.disabled && element.type !== 'hidden' && element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }),
  )
  const isSeen = element => {
    const { top, right, bottom, left } = element.getBoundingClientRect()
    const above = document.elementFromPoint((Math.max(0, left) + Math.min(innerWidth, right)) / 2, (top + bottom) / 2)
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && element.contains(above)
  }
  const describe = element => element.outerHTML.slice(0, 120)
  globalThis.walk = {
    missed: seen => all.filter((_, index) => !seen.includes(index)).map(describe),
    next() {
      const element = document.activeElement
      const index = all.indexOf(element)
      return { index, hidden: index < 0 || isSeen(element) ? null : describe(element) }
    },
  }
  return all.length
})()`

/** Goes once around the page with the Tab key. */
export async function focusProblems(page: Page): Promise<string[]> {
  const problems: string[] = []
  const seen: number[] = []
  const count = await page.evaluate<number>(WALK)
  // The focus also leaves the page once.
  for (let tabs = 0; tabs < count + 2; tabs++) {
    await page.keyboard.press('Tab')
    const { index, hidden } = await page.evaluate<{ index: number; hidden: string | null }>('walk.next()')
    if (!seen.includes(index) && hidden) problems.push(`the focus can't be seen: ${hidden}`)
    seen.push(index)
  }
  const missed = await page.evaluate<string[]>(`walk.missed(${JSON.stringify(seen)})`)
  return [...problems, ...missed.map(element => `the Tab key never reaches ${element}`)]
}

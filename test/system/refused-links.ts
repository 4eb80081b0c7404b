/** Links of the console, and where they lead. */
import { navigationOf, type OwnConsole, type Visitor, waitForScreen } from './console-fixtures.ts'

const MISSING = ['Not part of this console', 'Page not found', 'Seite nicht gefunden']
/** IDs, so that one record of each kind is visited. */
const kindOf = (address: string) => address.replaceAll(/[a-z]+_[0-9a-z]{26}/g, ':id').replace(/\?.*$/, '')

/** Follows the links of the console and of its pages, one of each kind, and returns those that refuse the person. */
export async function refusedLinksOf(console: OwnConsole, visitor: Visitor): Promise<string[]> {
  const page = await console.open(visitor, '')
  await waitForScreen(page)
  const refused: string[] = []
  let address = ''
  page.on('response', response => {
    const { pathname } = new URL(response.url())
    if ([403, 404].includes(response.status()) && /^\/(v1|console)/.test(pathname))
      refused.push(`${address}: ${response.status()} ${pathname}`)
  })
  const [known, waiting] = [new Set<string>(), [page.url()]]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (next !== page.url()) {
      address = next
      const answer = await page.goto(next).catch(() => null)
      // A download is no page.
      if (!answer) continue
      if (!answer.ok()) refused.push(`${next}: ${answer.status()}`)
    }
    if (new URL(page.url()).pathname.startsWith('/console')) await waitForScreen(page)
    const heading = await page.locator('h1').first().textContent()
    if (heading === null || MISSING.includes(heading)) refused.push(`${next}: ${heading}`)
    const links: string[] = await page.evaluate(
      '[...document.querySelectorAll("a[href]")].filter(a => !a.download).map(a => a.href)',
    )
    for (const link of links.map(each => each.replace(/#.*$/, ''))) {
      const { origin, pathname } = new URL(link)
      if (origin !== console.url || /^\/(v1|assets|sign-out|metrics)/.test(pathname) || known.has(kindOf(link)))
        continue
      known.add(kindOf(link))
      waiting.push(link)
    }
  }
  await page.context().close()
  return [...refused, ...(known.size > 3 ? [] : ['the console has no links'])]
}

/** The screens in the navigation of the person: paths below the workspace. */
export async function screensOf({ open }: OwnConsole, visitor: Visitor): Promise<string[]> {
  const page = await open(visitor, '')
  await waitForScreen(page)
  const hrefs = await navigationOf(page)
    .locator('a')
    .evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
  await page.context().close()
  return hrefs.flatMap(href => {
    const [, path] = /^\/console\/[^/]+(\/.+)$/.exec(href) ?? []
    return path ?? []
  })
}

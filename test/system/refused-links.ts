/** Links of the console, and where they lead. */
import {
  goInConsole,
  navigationOf,
  type OwnConsole,
  type Visitor,
  waitForScreen,
  workspaceAddress,
} from './console-fixtures.ts'

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
  // Screens of the console first, as long as it is open.
  const take = (workspace: string | undefined) => {
    const index = waiting.findIndex(link => workspace && link.startsWith(`${workspace}/`))
    return waiting.splice(Math.max(index, 0), 1)[0]
  }
  for (;;) {
    const workspace = workspaceAddress(page)
    const next = take(workspace)
    if (next === undefined) break
    if (next !== page.url()) address = next
    if (next !== page.url() && workspace && next.startsWith(`${workspace}/`))
      await goInConsole(page, next.slice(workspace.length))
    else if (next !== page.url()) {
      const answer = await page.goto(next).catch(() => null)
      // A download is no page.
      if (!answer) continue
      if (!answer.ok()) refused.push(`${next}: ${answer.status()}`)
    }
    if (workspaceAddress(page)) await waitForScreen(page)
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

/** A page of the product with a generated client. */
import { readFile } from 'node:fs/promises'
import type { ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { clientSource, toJavaScript } from '../client/fixtures.ts'
import { openBrowser } from './fixtures.ts'

interface ClientPage {
  /** The page has the origin of the product, and thus its cookie. */
  readonly url: string
  readonly file: URL
  readonly recipe: Parameters<typeof clientSource>[0]
  readonly email: string
}

/** Opens the file as a page, whose script imports the client, and signs in. */
export async function openClientPage(t: ExecutionContext, { url, file, recipe, email }: ClientPage): Promise<Page> {
  // Chromium treats an intercepted page as one of a public site, which may not connect to this machine.
  const browser = await openBrowser(t, ['--disable-features=LocalNetworkAccessChecks'])
  const page = await browser.newPage()
  const script = await toJavaScript(await clientSource(recipe))
  await page.route(`${url}/test/client.js`, route => route.fulfill({ contentType: 'text/javascript', body: script }))
  const html = await readFile(file, 'utf8')
  await page.route(`${url}/test/`, route => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto(`${url}/test/`)
  await page.fill('[name=email]', email)
  await page.fill('[name=password]', TEST_PASSWORD)
  await page.click('button')
  return page
}

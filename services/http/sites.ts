/** Addresses that nothing declares: the sites of the modules are asked, one after the other. */

import { createHash } from 'node:crypto'
import { etag, type Frame, guardOf, isHeld, type Site, type SiteAnswer } from 'larder/kernel'
import type { Gate } from './authorizer.ts'
import { type Frames, visitOf } from './layout-data.ts'
import { HTML, type Pages, type Rendered, withChoice } from './pages.ts'
import type { Serve } from './pipeline.ts'
import { http } from './problems.ts'
import type { Limits } from './rate-limiter.ts'
import type { Exchange } from './request-context.ts'
import type { Answers } from './response-writer.ts'
import type { HttpOptions } from './types.ts'

export interface SitesDeps {
  readonly options: Pick<HttpOptions, 'modules' | 'product' | 'theme' | 'docs'>
  readonly gate: Gate
  readonly limits: Limits
  readonly answers: Answers
  readonly pages: Pages
  readonly frames: Frames
}
interface Part {
  readonly find: NonNullable<Site['find']>
  readonly templates: URL | undefined
}
type Found = Extract<SiteAnswer, { data: unknown }>

/** What strangers were shown: as long as it is made of the same objects, the next one is shown the same. */
interface Kept extends Omit<Rendered, 'html'> {
  readonly frames: readonly Frame[]
  readonly body: Buffer
  readonly tag: string
}

const API = /^\/v1(\/|$)/
/** Whoever keeps it asks each time whether it is still the same; what others see may differ. */
const REVALIDATE = { 'cache-control': 'no-cache', vary: 'accept-language, cookie' }

export function createSites({ options, gate, limits, answers, pages, frames }: SitesDeps): Serve {
  const { product, theme } = options
  const parts: Part[] = options.modules.flatMap(({ site, templates }) =>
    site?.find ? [{ find: site.find, templates }] : [],
  )
  const guard = guardOf('public')
  const uncounted = limits.of(undefined)
  const kept = new WeakMap<object, Kept>()

  async function showKept(x: Exchange, found: Found, templates: URL | undefined): Promise<void> {
    const given = await frames(visitOf(x, product))
    let shown = kept.get(found)
    if (!shown || shown.frames.some((frame, at) => frame !== given[at])) {
      const { html, headers } = pages.render(x, { ...found, ...(templates && { templates }) }, found, given)
      const tag = etag(createHash('sha256').update(html).digest('base64url'))
      shown = { frames: given, body: Buffer.from(html), tag, headers: { ...REVALIDATE, ...headers, etag: tag } }
      kept.set(found, shown)
    }
    const headers = withChoice(x, product, shown.headers)
    if (isHeld(x.req.headers, shown.tag)) answers.send(x, 304, '', undefined, headers)
    else answers.send(x, found.status ?? 200, HTML, shown.body, headers)
  }

  async function shown(x: Exchange, { find, templates }: Part): Promise<boolean> {
    const found = await find(visitOf(x, product))
    if (!found) return false
    if ('redirect' in found) answers.send(x, found.status, '', undefined, { location: found.redirect })
    // A theme that is read anew at each page has nothing to keep.
    else if (found.kept && !x.caller && !theme.reload) await showKept(x, found, templates)
    else await pages.show(x, { ...found, ...(templates && { templates }) }, found)
    return true
  }

  return async x => {
    try {
      const asked = (x.method === 'GET' || x.method === 'HEAD') && !API.test(x.path)
      if (asked) {
        await gate(x, guard, uncounted, 'page')
        for (const part of parts) if (await shown(x, part)) return
        if (x.path === '/') {
          const data = { docs: options.docs !== false }
          return await pages.show(x, { name: 'home', title: product.name }, { data })
        }
      }
      throw http.no_such_address()
    } catch (error) {
      await pages.fail(x, error)
    }
  }
}

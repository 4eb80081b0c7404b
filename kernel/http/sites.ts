/** Addresses that nothing declares: the sites of the modules are asked, one after the other. */
import type { Site } from '../site.ts'
import { guardOf } from './allow.ts'
import type { Answers } from './answers.ts'
import type { Exchange } from './exchange.ts'
import type { Gate } from './gate.ts'
import type { Limits } from './limits.ts'
import { localeOf } from './locale.ts'
import type { Pages } from './pages.ts'
import type { Serve } from './pipeline.ts'
import { http } from './problems.ts'
import type { HttpOptions } from './types.ts'

export interface SitesDeps {
  readonly options: Pick<HttpOptions, 'modules' | 'product'>
  readonly gate: Gate
  readonly limits: Limits
  readonly answers: Answers
  readonly pages: Pages
}

const API = /^\/v1(\/|$)/

export function createSites({ options, gate, limits, answers, pages }: SitesDeps): Serve {
  const sites = options.modules.flatMap(({ site, templates }) => (site ? [{ site, templates }] : []))
  const guard = guardOf('public')
  const uncounted = limits.of(undefined)

  async function shown(x: Exchange, { site, templates }: { site: Site; templates: URL | undefined }): Promise<boolean> {
    const locale = localeOf(x.req.headers['accept-language'], options.product.locales)
    const found = await site.find({ path: x.path, search: x.search, locale, caller: x.caller, request: x })
    if (!found) return false
    if ('redirect' in found) answers.send(x, found.status, '', undefined, { location: found.redirect })
    else pages.show(x, { ...found, ...(templates && { templates }) }, found)
    return true
  }

  return async x => {
    try {
      const asked = (x.method === 'GET' || x.method === 'HEAD') && !API.test(x.path)
      if (asked && sites.length > 0) {
        await gate(x, guard, uncounted, 'page')
        for (const site of sites) if (await shown(x, site)) return
      }
      throw http.no_such_address()
    } catch (error) {
      pages.fail(x, error)
    }
  }
}

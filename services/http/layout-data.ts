/** What modules add to the layout of every page: asked once a page, each module's own. */
import type { Frame, Product, SiteVisit } from 'larder/kernel'
import { readerLocale } from './locale.ts'
import type { Exchange } from './request-context.ts'
import type { MountedModule } from './types.ts'

/** One object a module; for strangers the same objects as long as nothing changed. */
export type Frames = (visit: SiteVisit) => Promise<readonly Frame[]>

export function createFrames(modules: readonly Pick<MountedModule, 'site'>[]): Frames {
  const asked = modules.flatMap(({ site }) => (site?.frame ? [site.frame] : []))
  return visit => Promise.all(asked.map(frame => frame(visit)))
}

export const merged = (frames: readonly Frame[]): Frame => Object.assign({}, ...frames)

export const visitOf = (x: Exchange, { locales }: Pick<Product, 'locales'>): SiteVisit => ({
  path: x.path,
  search: x.search,
  locale: readerLocale(x, locales),
  caller: x.caller,
  request: x,
})

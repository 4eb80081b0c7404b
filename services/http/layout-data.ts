/** Data that modules add to the layout of every page. */
import type { Frame, Product, SiteVisit } from 'larder/kernel'
import { resolveLocale } from './locale.ts'
import type { RequestContext } from './request-context.ts'
import type { MountedModule } from './types.ts'

/** Loads one object per module. Anonymous visitors get the same objects until something changes. */
export type LayoutDataLoader = (visit: SiteVisit) => Promise<readonly Frame[]>

export function createLayoutData(modules: readonly Pick<MountedModule, 'site'>[]): LayoutDataLoader {
  const asked = modules.flatMap(({ site }) => (site?.frame ? [site.frame] : []))
  return visit => Promise.all(asked.map(frame => frame(visit)))
}

export const mergeLayoutData = (layoutData: readonly Frame[]): Frame => Object.assign({}, ...layoutData)

export const visitOf = (ctx: RequestContext, { locales }: Pick<Product, 'locales'>): SiteVisit => ({
  path: ctx.path,
  search: ctx.search,
  locale: resolveLocale(ctx, locales),
  caller: ctx.caller,
  request: ctx,
})

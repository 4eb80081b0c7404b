/** Data that modules add to the layout of every page. */
import type { LayoutData, Product, SiteVisit } from '@larder-dev/larder/kernel'
import { resolveLocale } from '../locale.ts'
import type { RequestContext } from '../request-context.ts'
import type { MountedModule } from '../types.ts'

/** Loads one object per module. Anonymous visitors get the same objects until something changes. */
export type LayoutDataLoader = (visit: SiteVisit) => Promise<readonly LayoutData[]>

export function createLayoutData(modules: readonly Pick<MountedModule, 'site'>[]): LayoutDataLoader {
  const loaders = modules.flatMap(({ site }) => (site?.layoutData ? [site.layoutData] : []))
  return visit => Promise.all(loaders.map(load => load(visit)))
}

export const mergeLayoutData = (layoutData: readonly LayoutData[]): LayoutData => Object.assign({}, ...layoutData)

/** `locale` is the language of the shown content, if it may differ from the reader's. */
export const visitOf = (
  ctx: RequestContext,
  { locales }: Pick<Product, 'locales'>,
  locale = resolveLocale(ctx, locales),
): SiteVisit => ({
  path: ctx.path,
  search: ctx.search,
  locale,
  caller: ctx.caller,
  request: ctx,
})

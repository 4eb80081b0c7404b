/** The navigation: areas with the resources and tailored screens that the person may open. */

import { useMemo } from 'react'
import { byNames } from '../../../../kernel/base/compare.ts'
import { audience, hasArea, pageAddress } from '../browser/document.ts'
import { useStore } from '../browser/store.ts'
import type { ConsoleScreen, Me } from '../data/api-types.ts'
import { areaTitle } from '../data/area-titles.ts'
import { useModuleScreens } from '../data/module-screens.ts'
import { type Resource, useResources } from '../data/resources.ts'
import { mayOpen } from '../data/screens.ts'
import { useMe } from '../data/session.ts'
import { inLanguage } from '../locales/dictionary.ts'
import { type Language, languageStore } from '../locales/index.ts'
import { pageLinks, pathScreens } from '../screens/registry.ts'

export interface Entry {
  readonly id: string
  readonly title: string
  readonly icon: string
  /** Below `/console`; the whole address of a page of the product. */
  readonly path: string
  readonly isPage?: boolean
  readonly resource?: Resource
}
export interface Area {
  readonly id: string
  readonly title: string
  readonly entries: readonly Entry[]
}

const NO_AREAS: readonly Area[] = []

/** Whether the resources or the permissions of the person are still loading. */
export function useAreasPending(): boolean {
  const { isPending: areResourcesPending } = useResources()
  const { isPending: isPersonPending } = useMe()
  const { isPending: areScreensPending } = useModuleScreens()
  return areResourcesPending || isPersonPending || areScreensPending
}

export function useAreas(): readonly Area[] {
  const { data: resources } = useResources()
  const { data: me } = useMe()
  const { data: screens } = useModuleScreens()
  const language = useStore(languageStore)
  // All are needed: later entries would move the others.
  return useMemo(
    () => (me && resources && screens ? areasOf(resources, screens, me, language) : NO_AREAS),
    [resources, screens, me, language],
  )
}

function areasOf(
  resources: readonly Resource[],
  screens: readonly ConsoleScreen[],
  me: Me,
  language: Language,
): readonly Area[] {
  const areas = new Map<string, Entry[]>()
  const add = (area: string, entry: Entry) => areas.set(area, [...(areas.get(area) ?? []), entry])
  for (const resource of resources)
    if (resource.within === null && resource.offered && resource.listed)
      add(resource.module, {
        id: resource.id,
        title: resource.title,
        icon: resource.icon ?? 'table',
        path: `/${resource.module}/${resource.name}`,
        resource,
      })
  for (const screen of pathScreens)
    if (screen.area !== null && hasArea(screen.area) && !screen.path.includes('$') && mayOpen(screen, me, resources))
      add(screen.area, {
        id: screen.path,
        title: inLanguage(screen.title, language),
        icon: screen.icon ?? 'app-window',
        path: screen.path,
      })
  for (const { module, name, title, icon, path, page } of screens.filter(({ module }) => hasArea(module))) {
    const id = `${module}.${name}`
    if (path !== null && !path.includes('$'))
      add(module, { id, title, icon: icon ?? 'app-window', path: `/${module}/${path}` })
    if (page !== null) add(module, { id, title, icon: icon ?? 'external-link', path: pageAddress(page), isPage: true })
  }
  for (const link of pageLinks)
    if (
      (link.audience ?? audience) === audience &&
      !(link.isInstead && hasArea(link.area)) &&
      mayOpen(link, me, resources)
    )
      add(link.area, {
        id: link.page,
        title: inLanguage(link.title, language),
        icon: link.icon ?? 'external-link',
        path: pageAddress(link.page),
        isPage: true,
      })
  return [...areas]
    .map(([id, entries]) => ({ id, title: areaTitle(id), entries }))
    .sort((a, b) => Number(a.id === 'platform') - Number(b.id === 'platform') || byNames(a.title, b.title))
}

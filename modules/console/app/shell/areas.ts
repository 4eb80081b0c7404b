/** The navigation: groups of the resources and tailored screens that the person may open. */

import { useMemo } from 'react'
import { audience, firstGroups, hasArea, pageAddress } from '../browser/document.ts'
import { useStore } from '../browser/store.ts'
import type { ConsoleScreen, Me } from '../data/api-types.ts'
import { groupIcon, groupTitle, orderedGroups } from '../data/groups.ts'
import { useModuleScreens } from '../data/module-screens.ts'
import { isTrash, type Resource, useResources } from '../data/resources.ts'
import { mayOpen } from '../data/screens.ts'
import { useMe } from '../data/session.ts'
import { inLanguage } from '../locales/dictionary.ts'
import { type Language, languageStore } from '../locales/index.ts'
import { pageLinks, pathScreens } from '../screens/registry.ts'

export interface Entry {
  readonly id: string
  /** Key of its module. */
  readonly module: string
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
  readonly icon: string
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
  const groupOf = new Map(resources.map(({ module, group }) => [module, group]))
  const groups = new Map<string, Entry[]>()
  const add = (entry: Entry, group = groupOf.get(entry.module) ?? entry.module) =>
    groups.set(group, [...(groups.get(group) ?? []), entry])
  for (const resource of resources)
    if (resource.within === null && resource.offered && resource.listed && !isTrash(resource, resources))
      add(
        {
          id: resource.id,
          module: resource.module,
          title: resource.title,
          icon: resource.icon ?? 'table',
          path: `/${resource.module}/${resource.name}`,
          resource,
        },
        resource.group,
      )
  for (const screen of pathScreens)
    if (
      screen.area !== null &&
      hasArea(screen.area) &&
      !screen.path.includes('$') &&
      mayOpen(screen, me, resources) &&
      // The support inbox has no effect in workspaces whose requests the operator answers.
      !resources.some(({ id, offered }) => id === screen.needs && !offered)
    )
      add(
        {
          id: screen.path,
          module: screen.area,
          title: inLanguage(screen.title, language),
          icon: screen.icon ?? 'app-window',
          path: screen.path,
        },
        screen.group,
      )
  for (const { module, name, title, icon, path, page, group } of screens.filter(({ module }) => hasArea(module))) {
    const id = `${module}.${name}`
    if (path !== null && !path.includes('$'))
      add({ id, module, title, icon: icon ?? 'app-window', path: `/${module}/${path}` }, group ?? undefined)
    if (page !== null)
      add(
        { id, module, title, icon: icon ?? 'external-link', path: pageAddress(page), isPage: true },
        group ?? undefined,
      )
  }
  for (const link of pageLinks)
    if (
      (link.audience ?? audience) === audience &&
      !(link.isInstead && hasArea(link.area)) &&
      mayOpen(link, me, resources)
    )
      add(
        {
          id: link.page,
          module: link.area,
          title: inLanguage(link.title, language),
          icon: link.icon ?? 'external-link',
          path: pageAddress(link.page),
          isPage: true,
        },
        link.group,
      )
  return orderedGroups([...groups.keys()], firstGroups).map(id => ({
    id,
    title: groupTitle(id),
    icon: groupIcon(id),
    entries: groups.get(id) ?? [],
  }))
}

/** The entry of an address, and of the addresses below it. */
export function entryAt(areas: readonly Area[], path: string): Entry | undefined {
  const entries = areas.flatMap(({ entries }) => entries)
  const isBelow = (entry: Entry) => !entry.isPage && (path === entry.path || path.startsWith(`${entry.path}/`))
  const [found] = entries.filter(isBelow).sort((a, b) => b.path.length - a.path.length)
  return found
}

/** The group of an address. Records of lists that have no entry, and the address of a module, are in that of the module. */
export function groupAt(areas: readonly Area[], path: string): string | undefined {
  const [, module = ''] = path.split('/')
  const found = entryAt(areas, path) ?? areas.flatMap(({ entries }) => entries).find(entry => entry.module === module)
  return areas.find(({ entries }) => found && entries.includes(found))?.id
}

/** Screens that are written for their subject. Each `screens/<area>/index.tsx` exports `screens`; see README.md. */
import type { Resource } from '../data/resources.ts'
import type { Command, PageLink, PathScreen, RecordTab, ResourceScreen, Screen } from '../data/screens.ts'

const found = import.meta.glob<{ readonly screens: readonly Screen[] }>('./*/index.tsx', { eager: true })
const all: readonly Screen[] = Object.values(found).flatMap(({ screens }) => screens)

export const pathScreens = all.filter((screen): screen is PathScreen => 'path' in screen)
export const pageLinks = all.filter((screen): screen is PageLink => 'page' in screen)
export const commands = all.filter((screen): screen is Command => 'command' in screen)
export const recordTabs = all.filter((screen): screen is RecordTab => 'tab' in screen)
export const resourceScreen = (
  { id, operations: { get } }: Resource,
  view: ResourceScreen['view'],
): ResourceScreen | undefined =>
  all.find(
    (screen): screen is ResourceScreen =>
      'view' in screen && screen.view === view && (screen.resource === id || screen.resource === get?.id),
  )

import type { Screen } from '../registry.ts'
import { texts } from './texts.ts'

export const screens: readonly Screen[] = [
  {
    path: '/platform/status',
    title: { en: texts.en.status, de: texts.de.status },
    icon: 'activity',
    area: 'platform',
    permission: 'platform.queue.read',
    load: () => import('./Status.tsx'),
  },
  {
    path: '/platform/recipe',
    title: { en: texts.en.recipe, de: texts.de.recipe },
    icon: 'code',
    area: 'platform',
    permission: 'platform.recipe.read',
    load: () => import('./Recipe.tsx'),
  },
  { resource: 'platform.events', view: 'record', load: () => import('./Event.tsx') },
  { resource: 'platform.modules', view: 'record', load: () => import('./Module.tsx') },
  { resource: 'platform.dead-letters', view: 'list', load: () => import('./DeadLetters.tsx') },
]

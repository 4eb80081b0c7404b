import type { Screen } from '../../public.ts'
import { dependencyTexts } from './dependency-texts.ts'
import { texts } from './texts.ts'

export const screens: readonly Screen[] = [
  {
    path: '/platform/status',
    title: { en: texts.en.status, de: texts.de.status },
    icon: 'activity',
    area: 'platform',
    platformPermission: 'platform.queue.read',
    load: () => import('./Status.tsx'),
  },
  {
    path: '/platform/dependencies',
    title: { en: dependencyTexts.en.dependencies, de: dependencyTexts.de.dependencies },
    icon: 'git-branch',
    area: 'platform',
    needs: 'platform.modules',
    load: () => import('./Dependencies.tsx'),
  },
  {
    path: '/platform/recipe',
    title: { en: texts.en.recipe, de: texts.de.recipe },
    icon: 'code',
    area: 'platform',
    platformPermission: 'platform.recipe.read',
    load: () => import('./Recipe.tsx'),
  },
  {
    path: '/platform/logs',
    title: { en: texts.en.logs, de: texts.de.logs },
    icon: 'scroll-text',
    area: 'platform',
    platformPermission: 'platform.log.read',
    load: () => import('./Logs.tsx'),
  },
  {
    path: '/platform/settings',
    title: { en: texts.en.settings, de: texts.de.settings },
    icon: 'sliders-horizontal',
    area: 'platform',
    platformPermission: 'platform.module.configure',
    load: () => import('./Settings.tsx'),
  },
  { resource: 'platform.events', view: 'record', load: () => import('./Event.tsx') },
  { resource: 'platform.modules', view: 'record', load: () => import('./Module.tsx') },
  { resource: 'platform.dead-letters', view: 'list', load: () => import('./DeadLetters.tsx') },
]

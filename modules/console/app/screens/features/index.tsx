import type { Screen } from '../../public.ts'

const FLAGS = 'features.flags'

export const screens: readonly Screen[] = [
  { resource: FLAGS, view: 'list', load: () => import('./FlagList.tsx') },
  { resource: FLAGS, view: 'create', load: () => import('./FlagForm.tsx') },
  { resource: FLAGS, tab: 'rules', title: { en: 'Rules' }, load: () => import('./Rules.tsx') },
  {
    resource: FLAGS,
    tab: 'evaluation',
    title: { en: 'Evaluation', de: 'Auswertung' },
    load: () => import('./Evaluation.tsx'),
  },
  {
    resource: FLAGS,
    tab: 'usage',
    title: { en: 'Override and use', de: 'Ausnahme und Verwendung' },
    load: () => import('./Usage.tsx'),
  },
  { resource: FLAGS, tab: 'history', title: { en: 'History' }, load: () => import('./History.tsx') },
]

import type { Screen } from '../../public.ts'

export const screens: readonly Screen[] = [
  { resource: 'automations.list', view: 'record', load: () => import('./Automation.tsx') },
  // The list of all runs has it, and so have the lists that belong to rows.
  { resource: 'getAutomationRun', view: 'record', load: () => import('./Run.tsx') },
]

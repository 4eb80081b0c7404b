import type { Screen } from '../../public.ts'
import { texts } from './texts.ts'

export const screens: readonly Screen[] = [
  {
    path: '/comms/find',
    title: { en: texts.en.find, de: texts.de.find },
    icon: 'search',
    area: 'comms',
    needs: 'comms.messages',
    load: () => import('./FindEmail.tsx'),
  },
  { resource: 'comms.messages', view: 'record', load: () => import('./Message.tsx') },
  { resource: 'comms.all-messages', view: 'record', load: () => import('./Message.tsx') },
  { resource: 'comms.templates', view: 'record', load: () => import('./Template.tsx') },
  { resource: 'comms.templates', view: 'edit', load: () => import('./Template.tsx') },
]

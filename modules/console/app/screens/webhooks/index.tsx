import type { Screen } from '../../public.ts'
import { texts } from './texts.ts'

export const screens: readonly Screen[] = [
  {
    path: '/webhooks/signature',
    title: { en: texts.en.tester, de: texts.de.tester },
    icon: 'shield',
    area: 'webhooks',
    needs: 'webhooks.deliveries',
    load: () => import('./SignatureTester.tsx'),
  },
  { resource: 'webhooks.deliveries', view: 'record', load: () => import('./Delivery.tsx') },
  { resource: 'webhooks.endpoints', view: 'create', load: () => import('./EndpointForm.tsx') },
  { resource: 'webhooks.endpoints', view: 'edit', load: () => import('./EndpointForm.tsx') },
  {
    resource: 'webhooks.endpoints',
    tab: 'test',
    title: { en: texts.en.test, de: texts.de.test },
    load: () => import('./EndpointTest.tsx'),
  },
  {
    resource: 'webhooks.endpoints',
    tab: 'secret',
    title: { en: texts.en.secret, de: texts.de.secret },
    load: () => import('./EndpointSecret.tsx'),
  },
]

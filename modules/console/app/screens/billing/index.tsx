import type { Screen } from '../../public.ts'
import { texts } from './texts.ts'

export const screens: readonly Screen[] = [
  {
    path: '/billing/overview',
    title: { en: texts.en.overview, de: texts.de.overview },
    icon: 'credit-card',
    area: 'billing',
    permission: 'billing.subscription.read',
    needs: 'billing.plans',
    load: () => import('./Overview.tsx'),
  },
  {
    page: '/billing',
    title: { en: texts.en.overview, de: texts.de.overview },
    icon: 'credit-card',
    area: 'billing',
    isInstead: true,
    permission: 'billing.subscription.read',
    needs: 'billing.plans',
  },
]

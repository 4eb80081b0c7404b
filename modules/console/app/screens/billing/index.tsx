import type { Screen } from '../../public.ts'
import { revenueTexts } from './revenue-texts.ts'
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
    path: '/billing/revenue',
    title: { en: revenueTexts.en.title, de: revenueTexts.de.title },
    icon: 'chart-column',
    area: 'billing',
    platformPermission: 'billing.revenue.read',
    needs: 'billing.plans',
    load: () => import('./Revenue.tsx'),
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

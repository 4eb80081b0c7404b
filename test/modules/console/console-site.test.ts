import type { SiteVisit } from '@larder-dev/larder/kernel'
import test from 'ava'
import { consoleSite } from '../../../modules/console/pages/console-site.ts'

test('anonymous visitors get the same layout data, so that their pages stay cached', async t => {
  const { layoutData } = consoleSite()
  const visit = { caller: undefined } as SiteVisit
  t.is(await layoutData?.(visit), await layoutData?.(visit))
})

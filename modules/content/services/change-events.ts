/** Payloads of the events that report changed content. */
import { valuesOf } from '@larder-dev/larder/kernel'
import { address, type PageRow } from '../records/page.ts'
import { type Redirect, redirectEventFields } from '../records/redirect.ts'

export const pagePayload = (page: PageRow) => ({
  pageId: page.id,
  ...valuesOf(address, page),
  version: page.version,
})

export const redirectPayload = (redirect: Omit<Redirect, 'managedBy' | 'createdAt' | 'updatedAt'>) => ({
  redirectId: redirect.id,
  ...valuesOf(redirectEventFields, redirect),
})

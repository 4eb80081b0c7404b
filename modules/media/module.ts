import { defineModule, GIB, listener } from 'larder/kernel'
import { events } from './events.ts'
import { mediaJobs } from './jobs.ts'
import { createMedia, NEEDS, WANTS } from './media.ts'
import { MediaOptions, validate } from './options.ts'
import { filePages } from './pages.ts'
import { permissions } from './permissions.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { formRoutes } from './routes/form.ts'
import { itemRoutes } from './routes/items.ts'
import { localRoutes } from './routes/local.ts'
import { uploadRoutes } from './routes/uploads.ts'
import { countedBytes } from './services/rows.ts'
import { STORAGE } from './services/uploads.ts'

export default defineModule({
  name: 'media',
  summary: 'Uploads with quarantine and checks, downloads with short-lived signed URLs.',
  needs: [...NEEDS, 'operator'],
  optional: WANTS,
  options: MediaOptions,
  validate,
  permissions,
  problems,
  limits: ['media.upload'],
  events,
  usage: { [STORAGE]: async (deps, tenantId) => (await countedBytes(deps, tenantId)) / GIB },
  provides: {
    media: createMedia,
    mediaItems: ({ media }) => ({ ready: media.rows.ready }),
  },
  routes: (deps, options) => [...uploadRoutes(deps, options), ...itemRoutes(deps)],
  rawRoutes: (deps, options) => {
    const { local } = deps.media
    return [...formRoutes(deps, options), ...(local ? localRoutes(deps, local) : [])]
  },
  pages: filePages,
  listeners: ({ jobs }) => [
    listener('identity.tenant.deleted', async ({ payload: { tenantId } }) => {
      await jobs.enqueue('media.forget', {}, { key: tenantId, tenantId })
    }),
  ],
  jobs: mediaJobs,
  migrations: new URL('./migrations/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})

import { join } from 'node:path'
import { defineModule, GIB } from '@larder-dev/larder/kernel'
import { events } from './events.ts'
import { jobs } from './jobs.ts'
import { MediaOptions } from './options.ts'
import { filePages } from './pages/files.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { validate } from './recipe/validate.ts'
import { resources } from './resources.ts'
import { formUploadRoutes } from './routes/form-uploads.ts'
import { itemRoutes } from './routes/items.ts'
import { publicImageRoutes } from './routes/public-images.ts'
import { signedUrlRoutes } from './routes/signed-urls.ts'
import { uploadRoutes } from './routes/uploads.ts'
import { countedBytes } from './services/item-repository.ts'
import { personalData } from './services/personal-data.ts'
import { storedFiles } from './services/storage/stored-files.ts'

export default defineModule({
  name: 'media',
  summary: 'Uploads with quarantine and checks, downloads with short-lived signed URLs.',
  needs: [
    'database',
    'systemDatabase',
    'clock',
    'events',
    'jobs',
    'product',
    'theme',
    'secrets',
    'dataFolder',
    'log',
    'operator',
    'diskSpace',
  ],
  optional: ['entitlements', 'virusScanner'],
  options: MediaOptions,
  packages: ({ allow }) => (allow.some(type => type.startsWith('image/')) ? ['sharp'] : []),
  validate,
  permissions: {
    'media.item.read': 'View and download files',
    'media.item.create': { title: 'Upload files', customers: true },
    'media.item.update': 'Rename and move files',
    'media.item.delete': 'Delete files',
    'media.item.publish': 'Publish images',
  },
  // Editors of pages insert images.
  declare: () => ({ grants: { 'tenant.editor': ['media.item.read', 'media.item.create', 'media.item.publish'] } }),
  problems,
  limits: ['media.upload'],
  events,
  usage: { 'media.storage_gb': async (deps, tenantId) => (await countedBytes(deps, tenantId)) / GIB },
  services: async () => (await import('./services.ts')).services,
  provides: {
    mediaItems: ({ items, downloads }) => ({
      ready: items.ready,
      downloadUrl: (tenantId, id) => downloads.url(tenantId, id),
    }),
  },
  routes: (deps, options) => [...uploadRoutes(deps, options), ...itemRoutes(deps), ...publicImageRoutes(deps).routes],
  resources: () => resources,
  names: () => [
    {
      prefix: 'med',
      title: 'File',
      resource: 'media.items',
      names: {
        allow: 'media.item.read',
        sql: 'select id, file_name as name from media_items where id = any ($1)',
      },
    },
  ],
  rawRoutes: (deps, options) => [
    ...formUploadRoutes(deps, options),
    ...signedUrlRoutes(deps),
    ...publicImageRoutes(deps).rawRoutes,
  ],
  pages: filePages,
  client: () => [{ name: 'media.upload', source: new URL('./client.ts', import.meta.url), factory: 'createUpload' }],
  jobs,
  checks: ({ dataFolder, diskSpace }) => [
    {
      name: 'disk',
      // With S3, uploads in progress and copies for the checks are here, too.
      run: () => diskSpace.assertFree(join(dataFolder.path, 'media')),
    },
  ],
  // Visitors find a public image by its id, without its workspace.
  stopTenant:
    ({ database }) =>
    async tenantId => {
      const text = 'update media_items set is_public = false where tenant_id = $1 and is_public'
      await database.tenant(tenantId).defer([[text, [tenantId]]])
    },
  deleteTenant: ({ lifecycle }) => lifecycle.deleteAll,
  storedFiles,
  personalData,
  migrations: new URL('./migrations/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})

import sharp from 'sharp'
import { api, defineRequests, form, page, upload } from './request.ts'
import type { World } from './world.ts'

interface Intent {
  readonly mediaId: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}
interface Context extends Pick<World, 'owner' | 'call' | 'url'> {
  readonly file: { readonly name: string; readonly type: string; readonly bytes: Buffer }
}

const intentOf = ({ file }: Pick<Context, 'file'>) => ({
  fileName: file.name,
  mimeType: file.type,
  size: file.bytes.length,
})
const announce = (context: Context, folder = ''): Promise<Intent> =>
  context.call<Intent>(context.owner, 'POST', '/v1/media/upload-intent', { ...intentOf(context), folder })

async function put(context: Context): Promise<Intent> {
  const intent = await announce(context)
  const { pathname, search } = new URL(intent.url)
  const response = await fetch(new URL(pathname + search, context.url), {
    method: 'PUT',
    headers: intent.headers,
    body: new Uint8Array(context.file.bytes),
  })
  if (!response.ok) throw new Error(`the upload returned ${response.status}: ${await response.text()}`)
  return intent
}
async function store(context: Context): Promise<string> {
  const { mediaId } = await put(context)
  await context.call(context.owner, 'POST', '/v1/media/process', { mediaId })
  return mediaId
}
const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

export const media = defineRequests(
  async world => {
    const background = { r: 20, g: 90, b: 200 }
    const bytes = await sharp({ create: { width: 8, height: 6, channels: 3, background } })
      .png()
      .toBuffer()
    const file = { name: 'dot.png', type: 'image/png', bytes }
    const context = { ...world, file }
    const id = await store(context)
    for (let n = 0; n < 25; n++) await announce(context, `Folder ${n % 5}`)
    return { file, id }
  },
  {
    'POST /v1/media/upload-intent': context => api(context.owner, '/v1/media/upload-intent', intentOf(context)),
    'POST /v1/media/process': async context =>
      api(context.owner, '/v1/media/process', { mediaId: (await put(context)).mediaId }, { status: 200 }),
    'GET /v1/media': ({ owner }) => api(owner, '/v1/media?limit=20'),
    'GET /v1/media/folders': ({ owner }) => api(owner, '/v1/media/folders'),
    'GET /v1/media/:id': ({ owner, id }) => api(owner, `/v1/media/${id}`),
    'PATCH /v1/media/:id': ({ owner, id }, n) => api(owner, `/v1/media/${id}`, { fileName: `dot-${n}.png` }),
    'DELETE /v1/media/:id': async context => api(context.owner, `/v1/media/${(await announce(context)).mediaId}`),
    'GET /v1/media/:id/download-url': ({ owner, id }) => api(owner, `/v1/media/${id}/download-url`),
    'POST /v1/media/:id/publish': ({ owner, id }) => api(owner, `/v1/media/${id}/publish`, {}),
    'POST /v1/media/:id/unpublish': ({ owner, id }) => api(owner, `/v1/media/${id}/unpublish`, {}),
    'GET /media/:id/:variant': async context => {
      await context.call(context.owner, 'POST', `/v1/media/${context.id}/publish`, {})
      return api(undefined, `/media/${context.id}/thumbnail`)
    },
    'POST /v1/media': ({ owner, file }) => upload(owner, '/v1/media', file, { status: 201 }),
    'POST /files/upload': ({ owner, file }) =>
      upload(owner, '/files/upload', file, { status: 303, headers: { authorization: '', ...owner.browser } }),
    'PUT /v1/media/uploads/:id': async context => {
      const { url, headers } = await announce(context)
      return { path: pathOf(url), headers, body: context.file.bytes, status: 200 }
    },
    'GET /v1/media/files/:id': async ({ owner, call, id }) => {
      const { url } = await call<{ url: string }>(owner, 'GET', `/v1/media/${id}/download-url`)
      return api(undefined, pathOf(url))
    },
    'GET /files': ({ owner }) => page(owner, '/files'),
    'GET /files/:id/delete': ({ owner, id }) => page(owner, `/files/${id}/delete`),
    'POST /files/:id/delete': async context =>
      form(context.owner, `/files/${(await announce(context)).mediaId}/delete`, {}),
    'GET /files/:id/download': ({ owner, id }) => page(owner, `/files/${id}/download`, { status: 303 }),
  },
)

/** Files as the API lists them. */
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../locales/index.ts'
import { api } from './api.ts'
import type { DownloadUrl, MediaItem, MediaVariant } from './api-types.ts'
import { batched } from './batch.ts'
import { MAX_PAGE } from './get.ts'
import { keys } from './keys.ts'

export const isInProgress = ({ status }: MediaItem): boolean => status === 'uploaded' || status === 'processing'
export const isImage = ({ mimeType }: MediaItem): boolean => mimeType.startsWith('image/')

/** Icon of files without a preview. */
export function iconOf({ mimeType, status }: MediaItem): string {
  if (status === 'rejected') return 'shield-alert'
  if (mimeType.startsWith('image/')) return 'image'
  if (mimeType.startsWith('video/')) return 'video'
  if (mimeType.startsWith('audio/')) return 'radio'
  if (mimeType === 'application/zip' || mimeType.includes('tar')) return 'package'
  return 'file-text'
}

/** Lasting address of a variant of a public image. */
export const publicPath = ({ id }: Pick<MediaItem, 'id'>, { name }: MediaVariant): string => `/media/${id}/${name}`
export const largestVariant = ({ variants }: MediaItem): MediaVariant | undefined =>
  variants.toSorted((a, b) => b.width - a.width)[0]

const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const
export function formatSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  return `${formatNumber(Math.round((bytes / 1024 ** power) * 10) / 10)} ${UNITS[power]}`
}

export const downloadUrl = async (id: string, variant?: string, signal?: AbortSignal): Promise<DownloadUrl> =>
  (await api.get('/v1/media/{id}/download-url', { path: { id }, query: { variant }, signal })).body

/** Files that are shown at the same time are loaded by one request. */
export const loadFile = batched(async ids => {
  const query = { 'filter[id][in]': ids.join(','), thumbnails: true, limit: MAX_PAGE }
  const { body } = await api.get('/v1/media', { query })
  return new Map(body.data.map(item => [item.id, item]))
})

/** Addresses are signed for a few minutes. */
const URL_FRESH_MS = 120_000
/** Address of an image that fits; undefined until it is loaded or if there is none. */
export function useImageUrl(item: MediaItem, variant: string, isEnabled: boolean): string | undefined {
  const found = item.variants.find(({ name }) => name === variant)
  const known = variant === 'thumbnail' ? item.thumbnailUrl : undefined
  const canShow = item.status === 'ready' && isImage(item)
  const { data } = useQuery({
    queryKey: keys.load('/v1/media/{id}/download-url', item.id, variant),
    queryFn: ({ signal }) => downloadUrl(item.id, found?.name, signal),
    enabled: isEnabled && canShow && known === undefined,
    staleTime: URL_FRESH_MS,
    gcTime: URL_FRESH_MS,
    retry: false,
  })
  return canShow ? (known ?? data?.url) : undefined
}

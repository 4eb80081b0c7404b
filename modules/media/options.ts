/** Options under `modules.media` in the recipe. */
import {
  DURATION_PATTERN,
  OneOf,
  POSITIVE_DURATION_PATTERN,
  SIZE_PATTERN,
  type Static,
  Type,
  urlPattern,
} from '@larder-dev/larder/kernel'
import { KNOWN_TYPES } from './domain/file-types.ts'

const duration = (standard: string, description: string, pattern = DURATION_PATTERN) =>
  Type.String({ pattern, default: standard, description })
const size = (standard: string, description: string) =>
  Type.String({ pattern: SIZE_PATTERN, default: standard, description })
const closed = { additionalProperties: false, default: {} }

const S3 = Type.Object(
  {
    bucket: Type.String({ default: '', description: 'Empty: no bucket' }),
    endpoint: Type.String({
      default: '',
      pattern: urlPattern('https?'),
      description: 'URL of an S3-compatible server other than AWS, for example https://storage.acme.test',
    }),
    region: Type.String({ default: '', description: 'Default: us-east-1' }),
    accessKeyId: Type.String({ default: '', description: 'Empty: the default credential chain of the AWS SDK' }),
    secretAccessKey: Type.String({ default: '', writeOnly: true }),
    pathStyle: Type.Boolean({ default: true, description: 'Put the bucket in the path instead of the host name' }),
  },
  closed,
)
const Scanner = Type.Object(
  {
    driver: Type.Optional(
      OneOf(['auto', 'none', 'clamd'], { description: 'auto: clamd if `url` is set, otherwise none' }),
    ),
    url: Type.String({
      default: '',
      pattern: urlPattern('tcp', 'host:port'),
      description: 'For example tcp://127.0.0.1:3310. Empty: no scanner',
    }),
    maxBytes: size('100MiB', 'StreamMaxLength and MaxFileSize of clamd. Larger files are held and not scanned.'),
    timeout: duration('60s', 'Timeout of one scan', POSITIVE_DURATION_PATTERN),
  },
  closed,
)
const Variant = Type.Object(
  {
    width: Type.Integer({ minimum: 1, maximum: 8192 }),
    height: Type.Integer({ minimum: 1, maximum: 8192 }),
  },
  { additionalProperties: false, description: 'Box in pixels that the variant fits into. Images are never enlarged.' },
)
const Images = Type.Object(
  {
    maxPixels: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 100_000_000 }),
    variants: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }), Variant, {
      default: { thumbnail: { width: 320, height: 320 }, preview: { width: 1600, height: 1600 } },
      additionalProperties: false,
    }),
  },
  closed,
)

export const MediaOptions = Type.Object(
  {
    driver: Type.Optional(
      OneOf(['auto', 'local', 's3'], {
        description: 'Storage of files. local: a folder in LARDER_DATA. auto: s3 if a bucket is set, otherwise local.',
      }),
    ),
    maxBytes: size('100MiB', 'Maximum size of one file'),
    allow: Type.Array(OneOf(KNOWN_TYPES), {
      minItems: 1,
      uniqueItems: true,
      default: ['image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'application/zip'],
    }),
    urls: Type.Object(
      {
        upload: duration('15m', 'Lifetime of an upload URL'),
        download: duration('5m', 'Lifetime of a download URL'),
      },
      closed,
    ),
    wait: duration('10s', 'How long POST /media/process waits for the result before a worker continues'),
    s3: S3,
    scanner: Scanner,
    images: Images,
  },
  { additionalProperties: false },
)
export type MediaOptions = Static<typeof MediaOptions>

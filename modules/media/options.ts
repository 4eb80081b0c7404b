import {
  bytes,
  DURATION_PATTERN,
  GIB,
  milliseconds,
  OneOf,
  type RecipeFault,
  SIZE_PATTERN,
  type Static,
  Type,
  type ValidatedRecipe,
} from 'larder/kernel'
import { KNOWN_TYPES } from './core/types.ts'

const duration = (standard: string, description: string) =>
  Type.String({ pattern: DURATION_PATTERN, default: standard, description })
const size = (standard: string, description: string) =>
  Type.String({ pattern: SIZE_PATTERN, default: standard, description })
const closed = { additionalProperties: false, default: {} }

const S3 = Type.Object(
  {
    bucket: Type.String({ default: '', description: 'Empty is none' }),
    endpoint: Type.String({
      default: '',
      pattern: '^(?:https?://.+)?$',
      description: 'Of another server than AWS: https://storage.acme.test',
    }),
    region: Type.String({ default: '', description: 'us-east-1 by default' }),
    accessKeyId: Type.String({ default: '', description: "Empty: what the SDK finds in the machine's environment" }),
    secretAccessKey: Type.String({ default: '', writeOnly: true }),
    pathStyle: Type.Boolean({ default: true, description: 'The bucket in the path, not in the host' }),
  },
  closed,
)
const Scanner = Type.Object(
  {
    driver: Type.Optional(OneOf(['auto', 'none', 'clamd'], { description: 'auto: clamd if it has a url, else none' })),
    url: Type.String({
      default: '',
      pattern: '^(?:tcp://[^/:]+:\\d{1,5})?$',
      description: 'tcp://127.0.0.1:3310; empty is none',
    }),
    maxBytes: size('100MiB', "clamd's StreamMaxLength and MaxFileSize: what is larger is held, not scanned"),
    timeout: duration('60s', 'Of one scan'),
  },
  closed,
)
const Variant = Type.Object(
  {
    width: Type.Integer({ minimum: 1, maximum: 8192 }),
    height: Type.Integer({ minimum: 1, maximum: 8192 }),
  },
  { additionalProperties: false, description: 'Pixels that the image is made to fit into; never larger than it is' },
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
        description: 'Where files are kept: local is a folder in LARDER_DATA; auto: s3 if it has a bucket',
      }),
    ),
    maxBytes: size('100MiB', 'Of one file'),
    allow: Type.Array(OneOf(KNOWN_TYPES), {
      minItems: 1,
      uniqueItems: true,
      default: ['image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'application/zip'],
    }),
    urls: Type.Object(
      {
        upload: duration('15m', 'How long an upload may begin'),
        download: duration('5m', 'How long a download address works'),
      },
      closed,
    ),
    wait: duration('10s', 'How long POST /media/process keeps its caller; after that the worker goes on'),
    s3: S3,
    scanner: Scanner,
    images: Images,
  },
  { additionalProperties: false },
)
export type MediaOptions = Static<typeof MediaOptions>

/** What S3 takes in one PUT and copies in one request. */
const LARGEST = 5 * GIB

export function validate({ options }: ValidatedRecipe<MediaOptions>): readonly RecipeFault[] {
  const { maxBytes, driver, s3, scanner, urls } = options
  const faults: RecipeFault[] = []
  const fault = (path: string[], message: string, hint?: string) =>
    faults.push({ path: ['modules', 'media', ...path], message, ...(hint && { hint }) })
  if (bytes(maxBytes) > LARGEST || bytes(maxBytes) === 0) fault(['maxBytes'], 'must be from 1B to 5GiB')
  for (const name of ['upload', 'download'] as const)
    if (milliseconds(urls[name]) < 1000 || milliseconds(urls[name]) > milliseconds('7d'))
      fault(['urls', name], 'must be from 1s to 7d')
  if (driver === 's3' && s3.bucket === '') fault(['driver'], 'is s3, but s3.bucket is empty', 'set S3_BUCKET')
  if (scanner.driver === 'clamd' && scanner.url === '')
    fault(['scanner', 'driver'], 'is clamd, but scanner.url is empty', 'set CLAMD_URL=tcp://127.0.0.1:3310')
  return faults
}

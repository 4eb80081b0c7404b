/** Sources and layout of a stream, in request bodies and replies. */
import {
  bodyOf,
  Nullable,
  named,
  OneOf,
  type Static,
  Timestamp,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'
import { LAYOUT_KINDS, MAX_SOURCES, SOURCE_KINDS } from '../domain/values.ts'

export const JsonObject = (options: object = {}) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true, ...options })

const ID = '^[A-Za-z0-9_-]{1,64}$'

const label = Type.String({ maxLength: 128 })
const pixels = Type.Integer({ minimum: 16, maximum: 16_384 })
const fps = Type.Integer({ minimum: 1, maximum: 240 })
const url = Type.String({ minLength: 1, maxLength: 2048, description: 'Only for external sources' })
export const SourceRecord = named(
  'StreamSource',
  Type.Object({
    source_id: Writable(
      Type.String(),
      Type.Optional(Type.String({ pattern: ID, description: 'A source with this id is replaced' })),
    ),
    kind: Writable(OneOf(SOURCE_KINDS)),
    label: Writable(Nullable(Type.String()), Type.Optional(label)),
    width: Writable(Nullable(Type.Integer()), Type.Optional(pixels)),
    height: Writable(Nullable(Type.Integer()), Type.Optional(pixels)),
    fps: Writable(Nullable(Type.Integer()), Type.Optional(fps)),
    url: Writable(Nullable(Type.String()), Type.Optional(url)),
    metadata: Writable(JsonObject(), Type.Optional(JsonObject({ description: 'At most 4 KiB of JSON' }))),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type Source = Readonly<Static<typeof SourceRecord>>

export const SourceBody = Type.Object(bodyOf(SourceRecord.properties), {
  examples: [{ source_id: 'cam', kind: 'camera', label: 'Stage', width: 1280, height: 720, fps: 30 }],
})
export type NewSource = Readonly<Static<typeof SourceBody>>

export const sourceTable = table('streams_sources', SourceRecord, {
  what: 'source',
  key: 'source_id',
  defaults: { metadata: {} },
  hidden: { tenant_id: Type.String(), stream_id: Type.String() },
})

const Slots = Type.Array(
  named(
    'LayoutSlot',
    Type.Object(
      { source_id: Type.String({ pattern: ID }), order: Type.Integer({ minimum: 0, maximum: 1000 }) },
      { additionalProperties: false },
    ),
  ),
  { maxItems: MAX_SOURCES },
)
export const LayoutBody = Type.Object(
  {
    kind: OneOf(LAYOUT_KINDS),
    slots: Type.Optional(Slots),
    focus_source_id: Type.Optional(Type.String({ pattern: ID })),
    metadata: Type.Optional(JsonObject({ description: 'At most 4 KiB of JSON' })),
  },
  { examples: [{ kind: 'focus', slots: [{ source_id: 'cam', order: 0 }], focus_source_id: 'cam' }] },
)
export type NewLayout = Readonly<Static<typeof LayoutBody>>
export const LayoutRecord = named(
  'StreamLayout',
  Type.Object({
    kind: OneOf(LAYOUT_KINDS),
    slots: Slots,
    focus_source_id: Nullable(Type.String()),
    metadata: JsonObject(),
    version: Type.Integer({ minimum: 0, description: 'Increases with each change; also the ETag' }),
  }),
)
export type Layout = Readonly<Static<typeof LayoutRecord>>

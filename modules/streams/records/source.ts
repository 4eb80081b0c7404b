/** Sources and layout of a stream, in request bodies and replies. */
import { Nullable, named, OneOf, type Static, Timestamp, Type, table } from '@larder-dev/larder/kernel'
import { LAYOUT_KINDS, MAX_SOURCES, SOURCE_KINDS } from '../domain/values.ts'

export const JsonObject = (options: object = {}) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true, ...options })

const ID = '^[A-Za-z0-9_-]{1,64}$'

const fields = {
  kind: OneOf(SOURCE_KINDS),
  label: Type.String({ maxLength: 128 }),
  width: Type.Integer({ minimum: 16, maximum: 16_384 }),
  height: Type.Integer({ minimum: 16, maximum: 16_384 }),
  fps: Type.Integer({ minimum: 1, maximum: 240 }),
  url: Type.String({ minLength: 1, maxLength: 2048, description: 'Only for external sources' }),
}
export const SourceBody = Type.Object(
  {
    source_id: Type.Optional(Type.String({ pattern: ID, description: 'A source with this id is replaced' })),
    kind: fields.kind,
    label: Type.Optional(fields.label),
    width: Type.Optional(fields.width),
    height: Type.Optional(fields.height),
    fps: Type.Optional(fields.fps),
    url: Type.Optional(fields.url),
    metadata: Type.Optional(JsonObject({ description: 'At most 4 KiB of JSON' })),
  },
  { examples: [{ source_id: 'cam', kind: 'camera', label: 'Stage', width: 1280, height: 720, fps: 30 }] },
)
export type NewSource = Readonly<Static<typeof SourceBody>>
export const SourceRecord = named(
  'StreamSource',
  Type.Object({
    source_id: Type.String(),
    kind: fields.kind,
    label: Nullable(Type.String()),
    width: Nullable(Type.Integer()),
    height: Nullable(Type.Integer()),
    fps: Nullable(Type.Integer()),
    url: Nullable(Type.String()),
    metadata: JsonObject(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type Source = Readonly<Static<typeof SourceRecord>>

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

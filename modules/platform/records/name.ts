import { Nullable, named, type Static, Type } from '@larder-dev/larder/kernel'

export const RecordName = named(
  'RecordName',
  Type.Object({
    id: Type.String(),
    title: Type.String({ description: 'The kind of record', examples: ['Workspace'] }),
    name: Nullable(Type.String({ description: 'Null if the caller cannot read it, or if the record does not exist' })),
    resource: Nullable(Type.String({ description: 'The resource whose record it is, for a record with a name' })),
    key: Type.String({ description: 'What identifies the record in the paths of its resource' }),
  }),
)
export type RecordName = Static<typeof RecordName>

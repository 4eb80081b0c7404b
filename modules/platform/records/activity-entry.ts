import { Nullable, named, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'

export const ActivityEntry = named(
  'ActivityEntry',
  Type.Object({
    id: Type.String(),
    createdAt: Timestamp,
    sentence: Type.String({
      description: 'Who did what, with `{actor}` and `{subject}` where their names stand',
      examples: ['{actor} published {subject}'],
    }),
    actorId: Nullable(
      Type.String({
        description:
          'ID of the user or API key that `{actor}` stands for, who may be gone; null without one, and if the caller may not read the name',
      }),
    ),
    subjectId: Type.String({ description: 'ID of the record that `{subject}` stands for' }),
    kind: Type.String({ description: 'The kind of record', examples: ['Page'] }),
  }),
)
export type ActivityEntry = Static<typeof ActivityEntry>

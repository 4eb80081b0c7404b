import { Nullable, named, OneOf, type Static, Type } from '@larder-dev/larder/kernel'

export const ListedSetting = named(
  'Setting',
  Type.Object({
    id: Type.String({ description: 'The environment variable, or `<module>.<option>`' }),
    kind: OneOf(['variable', 'option'], { description: 'Environment variable, or option in the recipe' }),
    owner: Type.String({ description: 'Service or module that reads it; `kernel` for variables of every product' }),
    name: Type.String(),
    description: Nullable(Type.String()),
    value: Type.Unknown({ description: '`***` for secrets, null if it is not set' }),
    source: OneOf(['environment', 'recipe', 'default']),
    secret: Type.Boolean(),
  }),
)
export type ListedSetting = Static<typeof ListedSetting>

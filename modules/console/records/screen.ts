import { Nullable, named, type Static, Type } from '@larder-dev/larder/kernel'

export const ListedScreen = named(
  'ConsoleScreen',
  Type.Object({
    module: Type.String(),
    name: Type.String(),
    title: Type.String(),
    icon: Nullable(Type.String({ description: 'Name of a Lucide icon' })),
  }),
)
export type ListedScreen = Static<typeof ListedScreen>

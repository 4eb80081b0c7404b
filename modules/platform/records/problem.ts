import { named, type Static, Type } from '@larder-dev/larder/kernel'

export const ListedProblem = named(
  'InstallationProblem',
  Type.Object({
    module: Type.String(),
    problem: Type.String({ description: 'One sentence, in English' }),
  }),
)
export type ListedProblem = Static<typeof ListedProblem>

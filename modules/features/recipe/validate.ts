import { dotted, type RecipeFault, type ValidatedRecipe } from 'larder/kernel'
import { faultsOf } from '../core/faults.ts'
import { definitionOf } from '../core/normal.ts'
import type { Sections } from './sections.ts'

/** What the schema cannot say: values of another type, circles of prerequisites, those that are not there. */
export function validate({ sections: { features = {} } }: ValidatedRecipe<unknown, Sections>): readonly RecipeFault[] {
  const says = new Map(Object.entries(features).map(([key, flag]) => [key, definitionOf(flag)]))
  return [...says].flatMap(([key, flag]) =>
    faultsOf(key, flag, other => says.get(other)).map(({ place, detail }) => {
      const path = ['features', key, ...place]
      return { path, message: `'${dotted(path)}' ${detail}` }
    }),
  )
}
